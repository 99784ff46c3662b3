"""Words that inputs and their reading are described with."""

from typing import Literal

Kind = Literal["qrels", "run"]
Order = Literal["docid", "input"]
Duplicates = Literal["error", "first", "best"]
By = Literal["subtopics", "judges", "preferences"]
