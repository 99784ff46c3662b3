"""A filter in use: a sentence becomes a profile, a stream goes by, feedback moves the threshold."""

import tempfile
from pathlib import Path

from gainful.filtering import Filter, read_stream

DATA = Path(__file__).parent / "data" / "filter"
WANTED = "gardening: flowers and vegetables, soil and compost, sowing and planting"

with tempfile.TemporaryDirectory() as folder, Filter.create(Path(folder) / "my.filter") as mine:
    mine.add_profile("garden", text=WANTED)
    mine.ingest(read_stream(DATA / "monday.jsonl"))

    for delivery in list(mine.deliveries(profile="garden")):
        # The reader's part: in this made-up stream, ids of documents about gardening end in g.
        verdict = "relevant" if delivery.document.endswith("g") else "not-relevant"
        print(f"monday   {delivery.title:28} {verdict}")
        before = mine.profile("garden").theta
        mine.feedback("garden", delivery.document, verdict)
        print(f"         threshold {before:.3f} → {mine.profile('garden').theta:.3f}")
        last = delivery.number

    mine.ingest(read_stream(DATA / "tuesday.jsonl"))
    for delivery in mine.deliveries(profile="garden", since=last):
        print(f"tuesday  {delivery.title:28} score {delivery.score:.3f}")

    found = mine.explain("garden", delivery.document)
    print(found.reason)
    for part in found.parts[:4]:
        print(f"  {part.term:10} adds {part.adds:.3f}")
