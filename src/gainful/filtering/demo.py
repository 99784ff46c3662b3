"""A stream made from a seed: short documents, readers' topics, and a vocabulary that drifts, to see a filter learn.

It is made up, and built to show the mechanism: what a topic is about shifts from its early words to its late ones, other
documents use some of its words without being relevant, and a reader who is shown too much pays for it.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gainful.errors import UsageError
from gainful.filtering.document import Document, Topic

if TYPE_CHECKING:
    from gainful.filtering.simulation import Simulation

DOCUMENTS = 3000
SEED = 7
RULES = ("expected", "beta_gamma", "optimum", "zero", "ratio(share=0.02)")
_START = datetime(2026, 1, 1, 6, tzinfo=UTC)

# Each topic: the words of its description, then words in the order in which they come into use.
_THEMES = {
    "garden": (
        "garden soil planting",
        "seedling compost mulch rose hedge spade greenhouse tomato pruning shears lawn weed bulb tulip orchard "
        "trellis drought irrigation pest aphid ladybird pollinator meadow wildflower peat nursery hardy frost allotment harvest",
    ),
    "cycling": (
        "bicycle cycling rider",
        "peloton sprint jersey stage climb gear helmet saddle spoke puncture velodrome breakaway domestique crank derailleur "
        "gravel tubeless bikepacking battery motor cargo courier lane commuter charging helmetless carbon titanium trail enduro",
    ),
    "astronomy": (
        "telescope star galaxy",
        "comet eclipse planet orbit lunar crater nebula supernova observatory mirror spectrum redshift quasar pulsar "
        "exoplanet transit biosignature infrared sunshield webb rover probe asteroid sample interferometer "
        "gravitational wave merger",
    ),
    "chess": (
        "chess board opening",
        "gambit rook bishop knight pawn castling endgame grandmaster tournament clock sicilian checkmate stalemate rating "
        "engine analysis neural cheating streaming blitz bullet online arena tablebase novelty preparation candidates titled",
    ),
    "coffee": (
        "coffee bean roast",
        "espresso grinder barista crema arabica robusta plantation harvesting washing drying acidity aroma filter brew kettle "
        "decaf capsule subscription sourcing traceability rust altitude cooperative auction futures oatmilk coldbrew nitro",
    ),
    "sailing": (
        "sailing boat harbour",
        "mast keel rudder jib spinnaker tack gybe regatta skipper crew mooring anchor buoy tide gale "
        "foil hydrofoil catamaran composite autopilot routing satellite solo circumnavigation desalination lifeboat "
        "salvage capsize",
    ),
    "bees": (
        "bee hive honey",
        "beekeeper swarm queen brood comb smoker nectar wax drone apiary extractor veil colony worker forage "
        "varroa mite pesticide neonicotinoid hornet sensor genome breeding overwinter collapse pollination almond "
        "subsidy registry",
    ),
    "volcano": (
        "volcano lava eruption",
        "magma ash crater caldera basalt vent plume tremor seismic fissure geyser pumice pyroclastic dome cone "
        "evacuation airspace shelter barrier drone insar satellite alert sulphur tourism insurance geothermal drilling borehole",
    ),
}

_EVERYDAY = """
year people time week city report day company market government price month country home group water work team part school
number plan state case family public service area house side question point road member street office project change result
meeting study health law party hour community interest centre minute room figure idea worker week example level control
visit staff offer view form cost rate line station fact land value board order period summer winter spring autumn morning
evening support programme increase agency start problem return growth demand supply event trade hand record weather south
north east west village region council bank store shop bridge river hill field train airport hospital museum theatre film
music book letter paper radio phone computer machine engineer teacher doctor student child parent friend neighbour visitor
"""
_COMMON = _EVERYDAY.split()


@dataclass(frozen=True)
class Demo:
    """A stream, its topics, and which documents are relevant to each."""

    documents: list[Document]
    topics: list[Topic]
    qrels: dict[str, dict[str, int]]


def demo(*, documents: int = DOCUMENTS, seed: int = SEED) -> Demo:
    """Generate the stream; equal seeds give equal streams on every machine.

    >>> made = demo(documents=200)
    >>> len(made.documents), len(made.topics), made == demo(documents=200)
    (200, 8, True)
    """
    if documents < 200:
        raise UsageError(
            f"the demo needs 200 documents or more, so that there is something to learn; got {documents}"
        )
    chance = random.Random(seed)
    stream, qrels = [], {name: {} for name in _THEMES}  # type: tuple[list[Document], dict[str, dict[str, int]]]
    for number in range(documents):
        document, about = _document(chance, number, number / documents)
        stream.append(document)
        if about:
            qrels[about][document.id] = 1
    topics = [Topic(name, words, place=place) for place, (name, (words, _)) in enumerate(_THEMES.items(), 1)]
    return Demo(stream, topics, qrels)


def _document(chance: random.Random, number: int, when: float) -> tuple[Document, str | None]:
    """One document and the topic it is relevant to, if any; `when` runs from 0 to 1 over the stream."""
    about = _pick(chance, list(_THEMES)) if chance.random() < 0.22 else None
    words = [_common(chance) for _ in range(14 + int(chance.random() * 14))]
    if about:
        words += [_themed(chance, about, when) for _ in range(4 + int(chance.random() * 6))]
    elif chance.random() < 0.45:
        other = _pick(chance, list(_THEMES))
        words += [_themed(chance, other, chance.random()) for _ in range(1 + int(chance.random() * 2.6))]
    for place in range(len(words) - 1, 0, -1):
        other_place = int(chance.random() * (place + 1))
        words[place], words[other_place] = words[other_place], words[place]
    text = " ".join(words[3:]).capitalize() + "."
    title = " ".join(words[:3]).capitalize()
    return Document(
        f"d{number + 1:05}", text, title, _START + timedelta(minutes=37 * number), place=number + 1
    ), about


def _themed(chance: random.Random, name: str, when: float) -> str:
    """A word of a topic: now and then one of its description, otherwise one in use at the time."""
    described, later = (words.split() for words in _THEMES[name])
    if chance.random() < 0.14:
        return _pick(chance, described)
    centre = when * (len(later) - 1)
    spread = (chance.random() + chance.random() + chance.random() - 1.5) * 10
    return later[min(max(round(centre + spread), 0), len(later) - 1)]


def _common(chance: random.Random) -> str:
    """A word of everyday; the first ones far more often."""
    return _COMMON[int(len(_COMMON) * chance.random() ** 2)]


def _pick(chance: random.Random, words: list[str]) -> str:
    return words[int(chance.random() * len(words))]


def learned(simulation: Simulation, topic: str, *, terms: int = 12) -> str:
    """The words that a profile began with, and those that weigh most at the end."""
    rule = simulation.rows[0].name
    profile = simulation.trace(rule, topic).profile
    strongest = profile.terms[(-profile.weights).argsort(kind="stable")[:terms]]
    words = ", ".join(simulation.vocabulary[term] for term in strongest)
    return (
        f"The profile of {topic} began with: {_THEMES[topic][0]}.\nIts strongest terms at the end: {words}."
    )


def as_files(stream: Demo) -> dict[str, str]:
    """The stream, its topics and its judgments as the files that are read elsewhere."""
    documents = [
        {
            "id": document.id,
            "date": document.date.isoformat() if document.date else None,
            "title": document.title,
            "text": document.text,
        }
        for document in stream.documents
    ]
    topics = [{"id": topic.id, "text": topic.text} for topic in stream.topics]
    qrels = [
        f"{topic} 0 {document} {grade}\n"
        for topic, grades in stream.qrels.items()
        for document, grade in grades.items()
    ]
    return {
        "stream.jsonl": "".join(json.dumps(record) + "\n" for record in documents),
        "topics.jsonl": "".join(json.dumps(record) + "\n" for record in topics),
        "qrels.txt": "".join(qrels),
    }
