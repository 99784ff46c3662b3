"""Words that say nothing of what a text is about, by language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from gainful.errors import UsageError

_ENGLISH = """
a about above across after afterwards again against all almost alone along already also although always am amid among an
and another any anybody anyhow anyone anything anywhere are around as at away back be became because become becomes been
before behind being below beside besides between beyond both but by came can cannot come could did do does doing done down
during each either else elsewhere enough even ever every everybody everyone everything everywhere except few for former from
further get gets give given go goes going got had has have having he hence her here hers herself him himself his how however
i if in indeed instead into is it its itself just keep kept latter least less like made make makes many may maybe me meanwhile
might mine more moreover most mostly much must my myself near neither never nevertheless next no nobody none nor not nothing
now nowhere of off often on once one only onto or other others otherwise our ours ourselves out over own per perhaps please
put quite rather really said same say says see seem seemed seems several shall she should since so some somebody somehow
someone something sometimes somewhere still such take than that the their theirs them themselves then there thereafter
thereby therefore these they this those though through throughout thus till to together too toward towards under unless until
up upon us use used very via was we well went were what whatever when whenever where whereas wherever whether which while who
whoever whole whom whose why will with within without would yet you your yours yourself yourselves
ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he's i'm isn't it's i've let's mustn't she's shouldn't
that's there's they're they've wasn't we're we've weren't what's won't wouldn't you're you've
"""

_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim bin bis bist
da dabei dadurch dafür dagegen daher damit danach daneben dann daran darauf daraus darin darüber darum das dass davon dazu dein
deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen
einer eines er es etwas euch euer eure für gegen haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
ihrer im in indem ins ist ja je jede jedem jeden jeder jedes jedoch jene jener jetzt kann kein keine keinem keinen keiner können
könnte man manche mehr mein meine mich mir mit muss müssen nach nachdem neben nicht nichts noch nun nur ob oder ohne schon sehr
sein seine seinem seinen seiner seit sich sie sind so sobald solche soll sollen sollte sondern sonst sowie über um und uns unser
unsere unter viel vom von vor wann war waren warum was weder weil welche welcher wenn wer werden wie wieder will wir wird wo
wollen worden wurde wurden würde würden zu zum zur zwar zwischen
"""

_FRENCH = """
à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avoir ayant bien c ça car ce ceci cela
celle celles celui cependant ces cet cette ceux chaque chez comme comment contre d dans de déjà depuis des dès deux doit donc
dont du elle elles en encore entre es est et étaient était été être eu fait font hors ici il ils j je jusque l la là le les leur
leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n ne ni non nos notre nous on ont or ou où par parce pas
pendant peu peut peuvent plus plusieurs pour pourquoi près puis qu quand que quel quelle quelles quelque quels qui quoi s sa
sans se selon sera seront ses si soi soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers voici
voilà vos votre vous y
"""

_SPANISH = """
a al algo algún alguna algunas alguno algunos allí ante antes aquel aquella aquellas aquellos aquí así aun aún aunque bajo bien
cada casi como cómo con contra cual cuál cuales cualquier cuando cuándo de del desde después donde dónde dos durante e el él
ella ellas ellos en entre era eran es esa esas ese eso esos esta está estaba están estar estas este esto estos fue fueron ha
había han hasta hay la las le les lo los más me mi mientras mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otras
otro otros para pero poco por porque pues que qué quien quién quienes se sea según ser si sí sido sin sino sobre solo sólo son
su sus también tan tanto te tiene tienen toda todas todo todos tras tu un una unas uno unos usted ustedes ya yo
"""

STOP = {
    "english": frozenset(_ENGLISH.split()),
    "german": frozenset(_GERMAN.split()),
    "french": frozenset(_FRENCH.split()),
    "spanish": frozenset(_SPANISH.split()),
}
"""Languages without a list have no stop words; frequent words weigh little there by their idf."""


# Letters and digits; an apostrophe within a word belongs to it.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = range(0x300, 0x20000)  # where they are
_VARIANTS = re.compile(
    "[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)  # how a letter is drawn, not which it is


_HEAVIEST = 1e9  # beyond it, counts of terms would leave the range of numbers


@dataclass(frozen=True)
class Analyzer:
    """How text is cut into terms.

    language      of stemming and stop words; None leaves words unchanged
    stop          leave out words that say nothing of the content
    title_weight  how many times a word of the title counts
    body_weight   how many times a word of the text counts

    A word has a letter in it and two characters at least; numbers alone are no terms.
    """

    language: str | None = "english"
    stop: bool = True
    title_weight: float = 1.0
    body_weight: float = 1.0
    _known: _Terms = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.language is not None and self.language not in languages():
            raise UsageError(
                f"there is no stemmer for the language '{self.language}'; there are {', '.join(languages())}, "
                "and none for unstemmed words"
            )
        for name, value in (("title weight", self.title_weight), ("body weight", self.body_weight)):
            if not 0 <= value <= _HEAVIEST:
                raise UsageError(f"{name} must be from 0 to a billion; got {value:g}")
        object.__setattr__(self, "_known", _Terms(self.language, stop=self.stop))

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in their order, repeated where they are."""
        found = words(unicodedata.normalize("NFKC", text).lower())
        return [term for term in map(self._known.__getitem__, found) if term is not None]

    def counts(self, title: str, body: str) -> dict[str, float]:
        """How often each term occurs, in title and body by their weights.

        >>> Analyzer(title_weight=2).counts("Cocoa", "cocoa prices")
        {'cocoa': 3.0, 'price': 1.0}
        """
        counted: dict[str, float] = {}
        for text, weight in ((title, self.title_weight), (body, self.body_weight)):
            if weight and text:
                for term in self.terms(text):
                    counted[term] = counted.get(term, 0.0) + weight
        return counted

    def __reduce__(self) -> tuple[object, ...]:
        return Analyzer, (self.language, self.stop, self.title_weight, self.body_weight)


class _Terms(dict[str, str | None]):
    """The term of each word that was met; None for a word that is none."""

    def __init__(self, language: str | None, *, stop: bool) -> None:
        super().__init__()
        self.language, self.stop = language, stop

    def __missing__(self, word: str) -> str | None:
        term = self[word] = self._term(word)
        return term

    def _term(self, word: str) -> str | None:
        word = word.replace("’", "'")
        if self.stop and self.language is not None and word in STOP.get(self.language, ()):
            return None
        word = word.removesuffix("'s")
        if len(word) < 2 or not _LETTER.search(word):
            return None
        if self.language is None:
            return word
        if self.stop and word in STOP.get(self.language, ()):
            return None
        return _stemmer(self.language)(word)


def words(text: str) -> list[str]:
    """The words of a text in their order, as they stand there."""
    return _WORD.findall(text) if text.isascii() else _marked_word().findall(_VARIANTS.sub("", text))


@cache
def _marked_word() -> re.Pattern[str]:
    """A word with marks: many scripts write vowels as marks on letters, which `re` does not take for parts of words."""
    kinds = "".join(unicodedata.category(chr(code))[0] for code in _MARKS)
    runs = [run.span() for run in re.finditer("M+", kinds)]
    marks = "".join(f"{chr(_MARKS[start])}-{chr(_MARKS[end - 1])}" for start, end in runs)
    # Most words end at a character that is below every mark; to look for that first is much quicker.
    part = rf"[^\W_]+(?:(?![\0-\u02ff])[{marks}]+[^\W_]*)*"
    return re.compile(f"{part}(?:['’]{part})*")


_STEMMERS: dict[str, Callable[[str], str]] = {}


def _stemmer(language: str) -> Callable[[str], str]:
    if language not in _STEMMERS:
        stem: Callable[[str], str] = _snowball().Stemmer(language).stemWord
        _STEMMERS[language] = stem
    return _STEMMERS[language]


def languages() -> list[str]:
    """The languages that have stems."""
    names: list[str] = _snowball().algorithms()
    return sorted(names)


def _snowball() -> Any:
    try:
        return import_module("Stemmer")
    except ImportError:
        raise UsageError(
            "stemming needs PyStemmer: pip install PyStemmer. Without it, use unstemmed words (language none)."
        ) from None
