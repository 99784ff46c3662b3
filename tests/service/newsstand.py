"""Feeds for tests and for the walk: three small papers of two days, and a server on loopback that hands them out."""

# ruff: noqa: E501 (an item of a paper is a line)

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MONDAY = datetime(2026, 11, 16, 6, tzinfo=UTC)

# Day, title, text. What is about bees is relevant to the reader of the walk.
MEADOW = [
    (
        1,
        "A mild autumn keeps the hives busy",
        "Bees are still flying in November. Keepers report that colonies use up their winter stores of honey early, and advise to weigh each hive now and to feed sugar where it is light.",
    ),
    (
        1,
        "How to read a comb in two minutes",
        "Hold the frame against the light: sealed brood in the middle, pollen around it, honey in the corners. A keeper who sees that pattern may close the hive again and leave the queen alone.",
    ),
    (
        1,
        "Leaf mould, the slow gold",
        "Rake the leaves of oak and maple into a wire cage, keep them moist, and wait for two years. Nothing improves a heavy soil as gently.",
    ),
    (
        1,
        "Pears that keep until March",
        "The late varieties ripen in the cellar, not on the tree. Lay them out on straw, stalk upwards, and look through them every week.",
    ),
    (
        1,
        "Fewer mites after a cold summer",
        "Counts on the boards under the hives are down by a third. The varroa mite suffers when the brood nest pauses, and so the bees go into the winter stronger than in any of the last five years.",
    ),
    (
        1,
        "When to lift dahlias",
        "After the first frost has blackened the leaves, cut the stems to a hand's width and dry the tubers for a week before they go into sand.",
    ),
    (
        2,
        "Wild bees need bare ground",
        "Three out of four species nest in soil. A sunny bank without plants, half a metre wide, does more for them than the usual box of bamboo canes, biologists say.",
    ),
    (
        2,
        "Swarms in the old town",
        "Firemen collected two swarms of honey bees from balconies. Both colonies now live on the roof of the library, looked after by a school class with their own beekeeper.",
    ),
    (
        2,
        "A hedge for every month",
        "Hazel, cornel, blackthorn, rose, ivy: planted together they flower from February to October and feed whatever has wings.",
    ),
    (
        2,
        "What to do in the cellar now",
        "Turn the apples, throw away what is soft, and open the window on dry days. Carrots stay crisp in damp sand.",
    ),
    (
        2,
        "Honey that is none",
        "Laboratories found syrup in every fifth jar. Beekeepers ask for a stricter label that names the country of the hives, and for tests that a small apiary can pay.",
    ),
    (
        2,
        "Compost does not freeze",
        "A heap of a cubic metre keeps sixty degrees in its heart, even in January, if it is turned before the frost and covered with straw.",
    ),
]
RAIL = [
    (
        1,
        "Night train to the south returns in spring",
        "Sleeping cars will run three times a week, with a stop at the lake. Tickets go on sale in January; the old couchettes are being rebuilt.",
    ),
    (
        1,
        "Signals fail at the central junction",
        "A broken relay held up forty trains during the morning rush. The operator wants to replace the signal box two years earlier than planned.",
    ),
    (
        1,
        "The tram gets grass between its rails",
        "Four kilometres of track are to be planted. Grass dampens the noise, keeps the city cool and, the council hopes, will please the bees as well.",
    ),
    (
        1,
        "A platform for eight minutes",
        "Why a station with five trains a day needs a lift: a visit to the smallest stop of the line, and to the people who change there.",
    ),
    (
        2,
        "Timetable change: what is new in December",
        "The hourly express becomes half-hourly, the last regional train leaves forty minutes later, and bicycles need a reservation at weekends.",
    ),
    (
        2,
        "Freight through the valley",
        "The second track is finished. Residents had asked for walls against the noise of the freight trains; they come a year late.",
    ),
    (
        2,
        "An engine of 1911 under steam again",
        "Volunteers worked eleven winters on the boiler. On Sunday the locomotive drew its first train up the branch line, with flowers on the buffer.",
    ),
    (
        2,
        "Delays halved, says the report",
        "More staff at the signal boxes and longer stops made the timetable robust. Passengers notice it mostly when they miss no connection.",
    ),
]
SKY = [
    (
        1,
        "Jupiter stands high at midnight",
        "The planet is bright enough to cast a shadow on snow. Binoculars show the four moons, a small telescope the cloud bands.",
    ),
    (
        1,
        "A comet for patient observers",
        "It rises an hour before the sun, low above the horizon, and needs a dark sky. The tail points away from the sun, as always.",
    ),
    (
        1,
        "Why stars twinkle and planets do not",
        "Turbulent air bends the light of a point now here, now there. A planet is a tiny disc, and its points make up for each other.",
    ),
    (
        1,
        "The apiary on the observatory's roof",
        "Astronomers keep six hives beside the dome. The bees do not mind the telescope, and honey from the roof is sold at the open nights.",
    ),
    (
        2,
        "Leonids: look after midnight",
        "The meteor shower has its peak this week. Away from the city ten to fifteen meteors an hour may be seen when the moon has set.",
    ),
    (
        2,
        "A new lens for an old refractor",
        "The objective of 1888 was cleaned by hand, with cotton and patience. The double stars are sharp again.",
    ),
    (
        2,
        "How bees find their way by the sun",
        "They carry a clock and a map of the sky: experiments with polarised light show how a honey bee corrects for the sun's course while it dances in the hive.",
    ),
    (
        2,
        "Satellites spoil every tenth picture",
        "Observatories ask for darker coatings. Software removes the trails, but what was behind them is lost.",
    ),
]
PAPERS = {
    "meadow": ("The Meadow Post", MEADOW),
    "rail": ("Rail Notes", RAIL),
    "sky": ("Night Sky Weekly", SKY),
}
SENTENCE = "Bees and beekeeping: hives, honey, swarms, and what harms the bees"


RELEVANT = (
    *(
        "A mild autumn keeps the hives busy",
        "How to read a comb in two minutes",
        "Fewer mites after a cold summer",
    ),
    *("Wild bees need bare ground", "Swarms in the old town", "Honey that is none"),
    *("The apiary on the observatory's roof", "How bees find their way by the sun"),
)
"""Titles that the reader of the walk finds relevant."""


def rss(name: str, until: int, base: str) -> str:
    """A paper as RSS, with the items up to a day."""
    title, items = PAPERS[name]
    entries = "".join(
        f"<item><title>{escape(heading)}</title><link>{base}/{name}/{place}</link><guid>{base}/{name}/{place}</guid>"
        f"<pubDate>{(MONDAY + timedelta(days=day - 1, minutes=place)):%a, %d %b %Y %H:%M:%S +0000}</pubDate>"
        f"<description>{escape('<p>' + text + '</p>')}</description></item>"
        for place, (day, heading, text) in enumerate(items)
        if day <= until
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>'
        f"<title>{escape(title)}</title><link>{base}/{name}</link><description>{escape(title)}</description>{entries}</channel></rss>"
    )


def opml(base: str) -> str:
    """All papers as an OPML file, one of them in a folder."""
    outlines = [
        f'<outline type="rss" text="{title}" xmlUrl="{base}/{name}.xml"/>'
        for name, (title, _) in PAPERS.items()
    ]
    return (
        '<?xml version="1.0" encoding="utf-8"?><opml version="2.0"><head><title>Feeds</title></head><body>'
        f'<outline text="Nature">{outlines[0]}{outlines[2]}</outline>{outlines[1]}</body></opml>'
    )


class Newsstand:
    """The papers on a port of loopback; `day` says up to which day they have appeared."""

    def __init__(self) -> None:
        self.day = 1
        stand = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body, kind = stand.answer(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def answer(self, path: str) -> tuple[bytes, str]:
        """Body and type of what is at a path."""
        name = path.strip("/").removesuffix(".xml")
        if name not in PAPERS:
            return b"", "text/plain"
        if path.endswith(".xml"):
            return rss(name, self.day, self.base).encode(), "application/rss+xml; charset=utf-8"
        link = f'<link rel="alternate" type="application/rss+xml" href="/{name}.xml">'
        page = f"<!doctype html><html><head><title>{PAPERS[name][0]}</title>{link}</head><body><p>Paper</p></body></html>"
        return page.encode(), "text/html; charset=utf-8"

    def __enter__(self) -> Newsstand:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
