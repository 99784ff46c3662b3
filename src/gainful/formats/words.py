"""Numbers of things in words."""


def counted(number: int, what: str) -> str:
    """So many of them.

    >>> counted(1, "topic"), counted(1200, "document")
    ('1 topic', '1,200 documents')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
