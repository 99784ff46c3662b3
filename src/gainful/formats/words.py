"""Numbers of things in words."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """So many of them.

    >>> counted(1, "topic"), counted(1200, "document"), counted(2, "delivery", "deliveries")
    ('1 topic', '1,200 documents', '2 deliveries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
