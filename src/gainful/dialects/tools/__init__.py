"""One file for each tool; importing it registers its dialects."""
