"""What the core finds wrong with data. Messages for users are written by the formats, not here."""


class Fault(Exception):
    """Data that cannot be used; `args` is (kind, line, other, text, count).

    line counts from 1: file lines, or rows for lists and streams; 0 where there is none, as in a mapping.
    Of several faults the one with the lowest line is raised, and count is how many of its kind there are.
    text is bytes.

    kind        other               text
    columns     columns found       the line without blanks around it, its first 80 bytes
    uneven      of the first line   a line with another number of columns than the first, its first 80 bytes
    blank       0                   the field with a blank in it, in a line that tabs divide
    value       0                   the field that is not a number, its first 80 bytes
    rank        rows of the topic   the topic, whose ranks are not 1, 2, 3, …
    id          0                   empty; a topic or a document has a longer id than is allowed
    quoted      0                   empty; the line has a quotation mark, and must be read by a reader of CSV
    nan         0                   the field; topic TAB document where there is no file
    duplicate   the first place     topic TAB document
    long        0                   empty; the line is over the limit
    binary      0                   empty; not a text file
    empty       0                   empty; there are no rows at all
    type        0                   topic, document, value or mapping, TAB the type found; then, for mappings,
                                    TAB topic and TAB document as far as they are known
    null        0                   topic, document or value; of an id that is empty or nothing but blanks then TAB
                                    the topic TAB the document of its row
    """

    @property
    def kind(self) -> str:
        """What sort of fault it is."""
        return str(self.args[0])

    @property
    def line(self) -> int:
        """Where it is, from 1; 0 where there are no lines."""
        return int(self.args[1])

    @property
    def other(self) -> int:
        """Columns found, or the line of the first of two."""
        return int(self.args[2])

    @property
    def text(self) -> bytes:
        """What was found there."""
        return bytes(self.args[3])

    @property
    def count(self) -> int:
        """How many faults of this kind there are."""
        return int(self.args[4])


class Cancelled(Exception):
    """The job was cancelled before it was done."""
