"""Make the stream of the filter's walks: two days of short news and two feeds, invented, the same from the same seed.

`python examples/data/filter/make_stream.py` writes monday.jsonl, tuesday.jsonl, wednesday.rss and thursday.rss beside this
file; the last repeats what the feed of Wednesday says about gardening.
Items whose id ends in g are about gardening; others use the same words for other things (plants that make cars, seed money,
a concert hall called the Garden), so that a filter has something to learn.
"""

import json
import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from xml.sax.saxutils import escape

SEED = 11
FOLDER = Path(__file__).parent
DAYS = {"mon": datetime(2026, 3, 2, 6, tzinfo=UTC), "tue": datetime(2026, 3, 3, 6, tzinfo=UTC)}
WEDNESDAY = datetime(2026, 3, 4, 6, tzinfo=UTC)

GARDEN = {
    "titles": [
        "{crop} for a {place}",
        "When to sow {crop}",
        "{pest} on your {crop}? What helps",
        "A {place} in {month}",
    ],
    "texts": [
        "Sow {crop} in {month}, a finger deep, and cover the seedlings with fleece while frost threatens.",
        "Compost and mulch keep the soil of a {place} moist, and {crop} thrive in it.",
        "Gardeners lose many {crop} to {pest}; netting over the beds keeps them away.",
        "Prune in {month}, before the buds open, and feed the flower beds with compost.",
        "A gardener from {town} grows {crop} in a {place} without any peat.",
        "Water the seedlings in the evening, and pull the weeds between {crop} by hand.",
    ],
}
FRIENDS = {
    "titles": [
        "Car plant in {town} to close",
        "Seed money for {firm}",
        "Band plays the Garden in {town}",
        "{firm} keeps growing",
    ],
    "texts": [
        "The plant in {town} built engines for {firm}; {number} jobs go by {month}.",
        "{firm} raised {number} million in a seed round from investors in {town}.",
        "The band fills the Garden in {town} for the third night, and {number} thousand sing along.",
        "Growing demand lifted shares of the grocer {firm} by {number} percent.",
        "A branch of {firm} in {town} was robbed of {number} thousand in notes.",
        "The power plant near {town} was shut for repairs until {month}.",
    ],
}
OTHERS = {
    "titles": [
        "{town} wins late",
        "Storm closes roads near {town}",
        "Council of {town} votes",
        "{firm} reports",
        "Probe nears a comet",
    ],
    "texts": [
        "A goal in the last minute gave {town} the match in front of {number} thousand.",
        "Snow and wind closed the roads near {town}; schools stay shut until {month}.",
        "The council of {town} voted for a new bridge that will cost {number} million.",
        "Shares of {firm} fell by {number} percent after the report for {month}.",
        "The probe will pass the comet at {number} thousand kilometres in {month}.",
        "A court in {town} heard {number} witnesses in the case against {firm}.",
        "The museum in {town} shows {number} paintings that were thought lost.",
    ],
}
SLOTS = {
    "crop": [
        "tomatoes",
        "beans",
        "carrots",
        "roses",
        "dahlias",
        "lettuces",
        "peas",
        "tulips",
        "courgettes",
        "leeks",
        "radishes",
        "strawberries",
    ],
    "place": ["raised bed", "balcony", "greenhouse", "small garden", "kitchen plot", "shady border"],
    "pest": ["slugs", "aphids", "snails", "caterpillars", "whitefly", "pigeons"],
    "month": ["March", "April", "May", "June", "September", "October"],
    "town": ["Norwell", "Ashby", "Kestrel", "Millbrook", "Tarrow", "Fenwick", "Orley", "Dunmore"],
    "firm": ["Halden", "Brixon", "Corvane", "Lumet", "Ostrand", "Pellingford"],
}


def item(chance: random.Random, name: str) -> dict[str, str]:
    """One piece of news: a sixth is about gardening, a sixth only sounds like it."""
    drawn = chance.random()
    kind, mark = (GARDEN, "g") if drawn < 1 / 6 else (FRIENDS, "f") if drawn < 1 / 3 else (OTHERS, "o")

    def filled(template: str) -> str:
        given = {slot: words[int(chance.random() * len(words))] for slot, words in SLOTS.items()}
        return template.format(number=2 + int(chance.random() * 90), **given)

    first = int(chance.random() * len(kind["texts"]))
    second = (first + 1 + int(chance.random() * (len(kind["texts"]) - 1))) % len(kind["texts"])
    title = filled(kind["titles"][int(chance.random() * len(kind["titles"]))])
    text = f"{filled(kind['texts'][first])} {filled(kind['texts'][second])}"
    return {"id": name + mark, "title": title[0].upper() + title[1:], "text": text}


def make(seed: int = SEED) -> dict[str, str]:
    """The files by their names."""
    chance = random.Random(seed)
    files = {}
    for (short, start), name in zip(DAYS.items(), ("monday", "tuesday"), strict=True):
        lines = []
        for number in range(1, 151):
            one = item(chance, f"{short}-{number:03}")
            date = (start + timedelta(minutes=5 * number)).isoformat()
            link = f"https://news.example/{one['id']}"
            lines.append(json.dumps({"id": one["id"], "date": date, "link": link, **one}) + "\n")
        files[f"{name}.jsonl"] = "".join(lines)
    wednesday = [item(chance, f"wed-{number:03}") for number in range(1, 41)]
    files["wednesday.rss"] = _rss("News of the day", WEDNESDAY, wednesday)
    thursday = [item(chance, f"thu-{number:03}") for number in range(1, 41)]
    repeated = [one for one in wednesday if one["id"].endswith("g")]
    files["thursday.rss"] = _rss("The town letter", WEDNESDAY + timedelta(days=1), [*repeated, *thursday])
    return files


def _rss(title: str, start: datetime, items: list[dict[str, str]]) -> str:
    parts = []
    for number, one in reversed(list(enumerate(items))):
        date = format_datetime(start + timedelta(minutes=5 * number))
        parts.append(
            f"<item><title>{escape(one['title'])}</title><link>https://news.example/{one['id']}</link>"
            f'<guid isPermaLink="false">{one["id"]}</guid><pubDate>{date}</pubDate>'
            f"<description>{escape('<p>' + one['text'] + '</p>')}</description></item>\n"
        )
    head = f"<title>{title}</title><link>https://news.example/</link><description>Invented</description>\n"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>{head}{"".join(parts)}</channel></rss>\n'


if __name__ == "__main__":
    for name, text in make().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
