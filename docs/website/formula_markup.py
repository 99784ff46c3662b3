"""Formulas of docstrings as MathML, which browsers typeset by themselves: no script, no font, no other host.

    nDCG = DCG(run) / DCG(ideal)      DCG = Σ gain(grade) / discount(rank),  rank ≤ cutoff

Wide spaces part clauses. A slash is a fraction, whose numerator is as much as a reader takes it for: the product before it,
or all of a sum that says over what it goes. Two words or more are prose, and stay words.
"""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-zγεπ][A-Za-z0-9_]*(?:'s)?)|(?P<sign>[=≤≥<>+−·/^²⁺,;:@|()⌈⌉∩ΣΠ∞])|(?P<other>\S)"
)
RELATIONS = {"=", "≤", "≥", "<", ">"}
BREAKS = RELATIONS | {",", ";", ":"}
SUMS = {"+", "−", "∩"}
OPEN = {"(": ")", "⌈": "⌉", "|": "|"}
APART = "\0"
EDGES = re.compile(r"(?<=\A<mtext>)&nbsp;|&nbsp;(?=</mtext>(?:<mo>[,;]</mo>|\Z))")
"""Spaces around words that nothing stands beside, or a comma after them."""


class Piece(NamedTuple):
    """A part of a formula that is typeset.

    kind    sign, number, name, call, group, prose, big (a sum or product sign), or fraction
    markup  how it is written in MathML
    text    the sign or the words
    """

    kind: str
    markup: str
    text: str = ""


def formula_markup(formula: str) -> str:
    """Every clause of a formula as MathML, equations on lines of their own.

    >>> formula_markup("P = found / cutoff")  # doctest: +ELLIPSIS
    '<p class="formula"><math displaystyle="true">...<mfrac><mi>found</mi><mi>cutoff</mi></mfrac></mrow></math></p>'
    """
    lines: list[list[str]] = []
    for clause in re.split(r"(?<=[,;]) {2,}|\n+| {3,}", re.sub(r" +=", " =", formula)):
        plain = clause.strip().rstrip(",;")
        if not plain:
            continue
        starts = re.match(r"[\w⁺]+(\([^)]*\))?\s*=", plain) or not lines
        (lines.append([plain]) if starts else lines[-1].append(plain))
    return "".join(_line(clauses) for clauses in lines)


def _line(clauses: list[str]) -> str:
    return f'<p class="formula">{"".join(map(_clause, clauses))}</p>'


def _clause(clause: str) -> str:
    """An equation or a condition; what has words of prose and nothing to stack is text that wraps, with names typeset in it."""
    parts = tokens(clause)
    pieces = _pieces(parts)
    flat = not any(piece.text == "/" or piece.kind == "big" for piece in pieces)
    if not flat or not any(piece.kind in ("prose", "lead") for piece in pieces):
        return f'<math displaystyle="true">{row(parts)}</math>'
    written = ""
    for piece in pieces:
        if piece.kind in ("prose", "lead"):
            written += f" {escape(piece.text)} "
        elif piece.text in (",", ";", ":"):
            written = f"{written.rstrip()}{piece.text} "
        else:
            written += f" <math>{piece.markup}</math> "
    return f"<span>{re.sub(' +', ' ', written).strip()}</span>"


def tokens(clause: str) -> list[tuple[str, str, bool]]:
    """Kind, text, and whether a space stands before it."""
    return [
        (str(match.lastgroup), match[0], match.start() > 0 and clause[match.start() - 1] == " ")
        for match in TOKEN.finditer(re.sub(r"\s+", " ", clause))
    ]


def row(parts: list[tuple[str, str, bool]]) -> str:
    """Some tokens, side by side."""
    markup = "".join(piece.markup for piece in _with_fractions(_pieces(parts)))
    return f"<mrow>{EDGES.sub('', markup)}</mrow>"


def _pieces(parts: list[tuple[str, str, bool]]) -> list[Piece]:
    """Names, calls, groups and prose, each with its exponent."""
    pieces: list[Piece] = []
    place = 0
    while place < len(parts):
        kind, text, spaced = parts[place]
        if text in OPEN and (text != "|" or place + 1 < len(parts)):
            end = _closing(parts, place)
            inside = row(parts[place + 1 : end])
            called = not spaced and bool(pieces) and pieces[-1].kind == "name" and text == "("
            before = pieces.pop().markup if called else ""
            tall = "<mfrac>" in inside
            group = (
                f"{before}<mrow>{_bracket(text, tall=tall)}{inside}{_bracket(OPEN[text], tall=tall)}</mrow>"
            )
            bare = inside if text == "(" and not called else ""
            pieces.append(
                Piece("call" if called else "group", f"<mrow>{group}</mrow>" if called else group, bare)
            )
            place = end + 1
        elif kind == "word":
            end = _prose_until(parts, place)
            more = _words(parts[place:end])
            if pieces and pieces[-1].kind == "number" and not spaced:  # 2T
                more[0] = Piece("name", f"<mrow>{pieces.pop().markup}{more[0].markup}</mrow>", more[0].text)
            pieces += more
            place = end
        elif text in "²⁺" or text == "^":
            raised = parts[place + 1 :] if text == "^" else [("number", "2" if text == "²" else "+", False)]
            taken = _closing(raised, 0) + 1 if raised[0][1] in OPEN else 1
            exponent = raised[1 : taken - 1] if taken > 1 else raised[:1]
            base = pieces.pop()
            pieces.append(
                base._replace(
                    markup=f"<msup>{base.markup}{row(exponent)}</msup>",
                    kind="group" if base.kind == "group" else base.kind,
                    text="",
                )
            )
            place += 1 + (taken if text == "^" else 0)
        else:
            known = {"number": "number", "sign": "big" if text in "ΣΠ" else "sign"}.get(kind, "sign")
            markup = f"<mn>{text}</mn>" if kind == "number" else _sign(text)
            pieces.append(Piece(known, markup, text))
            place += 1
    return pieces


def _closing(parts: list[tuple[str, str, bool]], start: int) -> int:
    opened, closed = parts[start][1], OPEN[parts[start][1]]
    depth = 0
    for place in range(start, len(parts)):
        text = parts[place][1]
        if text == closed and (opened != closed or place > start):
            depth -= 1
            if depth == 0 or opened == closed:
                return place
        elif text == opened:
            depth += 1
    return len(parts) - 1


def _prose_until(parts: list[tuple[str, str, bool]], start: int) -> int:
    """Where words end that stand side by side; in prose, "ranks ≤ cutoff" and what follows belong to them."""
    end = start + 1
    while end < len(parts):
        if parts[end][0] == "word":
            end += 1
        elif (
            end - start > 1
            and parts[end][1] in ("≤", "≥")
            and parts[end - 1][1] in ("rank", "ranks", "grade", "gain")
        ):
            end += 2
        else:
            break
    end = min(end, len(parts))
    goes_on = end < len(parts) and not parts[end][2] and parts[end][1] in ("(", "^", "²", "⁺")
    return end - 1 if goes_on and end - start > 1 else end  # the last word is a name: "stop is w(grade)"


def _words(parts: list[tuple[str, str, bool]]) -> list[Piece]:
    """One word is a name; several are prose, in which a name may stand first or last: "rank over relevant documents"."""
    words = [text for _, text, _ in parts]
    if len(words) == 1:
        return [Piece("name", _name(words[0]), words[0])]
    if "over" in words[1:] and words[0] != "mean":
        place = words.index("over")
        return [*_words(parts[:place]), _prose(words[place:])]
    if len(words[0]) == 1 and words[1] == "of":
        return [*_words(parts[:1]), _prose(words[1:])]
    if words[0] in ("of", "mean") and "of" in words and words[-1] != "of":
        place = words.index("of") + 1
        return [_prose(words[:place], leads=True), *_words(parts[place:])]
    return [_prose(words)]


def _prose(words: list[str], *, leads: bool = False) -> Piece:
    text = " ".join(words)
    return Piece("lead" if leads else "prose", f"<mtext>&nbsp;{escape(text)}&nbsp;</mtext>", text)


def _name(word: str) -> str:
    if word == "log2":
        return "<msub><mi>log</mi><mn>2</mn></msub>"
    base, _, index = word.partition("_")
    if index and len(index) == 1:
        return f"<msub><mi>{escape(base)}</mi><mi>{index}</mi></msub>"
    return f"<mi>{escape(word)}</mi>"


def _sign(text: str) -> str:
    large = ' largeop="true" movablelimits="true"' if text in "ΣΠ" else ""
    return f"<mo{large}>{escape({'Σ': '∑', 'Π': '∏'}.get(text, text))}</mo>"


def _bracket(text: str, *, tall: bool) -> str:
    """As tall as what it holds where that is a fraction; elsewhere as text has it, since one that can grow stands in spaces."""
    return f"<mo>{text}</mo>" if tall else f'<mo stretchy="false">{text}</mo>'


def _with_fractions(pieces: list[Piece]) -> list[Piece]:
    """What stands before a slash above what stands after it."""
    done: list[Piece] = []
    place = 0
    while place < len(pieces):
        if pieces[place].text != "/" or pieces[place].kind != "sign":
            done.append(pieces[place])
            place += 1
            continue
        end = _denominator(pieces, place + 1)
        below = pieces[place + 1 : end]
        start = _numerator(done, summed=below[0].kind == "big")
        above, done = done[start:], done[:start]
        numerator, denominator = _side(above), _side(_with_fractions(below))
        if len(above) == 1 and above[0].kind == "fraction":  # a / b / c
            numerator, _, first = above[0].text.partition(APART)
            denominator = f"<mrow>{first}<mo>·</mo>{denominator}</mrow>"
        done.append(
            Piece("fraction", f"<mfrac>{numerator}{denominator}</mfrac>", f"{numerator}{APART}{denominator}")
        )
        place = end
    return done


def _denominator(pieces: list[Piece], start: int) -> int:
    end = start + 1
    if pieces[start].kind == "big":
        while end < len(pieces) and pieces[end].text not in BREAKS | SUMS | {"/"}:
            end += 1
    return end


def _numerator(before: list[Piece], *, summed: bool) -> int:
    """Where it starts: of a sum that says over what it goes, or is divided by another, at the sign of the sum."""
    first = next(
        (
            n + 1
            for n in range(len(before) - 1, -1, -1)
            if before[n].text in BREAKS or before[n].kind == "lead"
        ),
        0,
    )
    bigs = [n for n in range(first, len(before)) if before[n].kind == "big"]
    prose = any(piece.kind == "prose" and piece.text.startswith("over") for piece in before[first:])
    if bigs and (summed or prose):
        return bigs[0]
    start = len(before) - 1
    while (
        start - 2 >= first
        and before[start - 1].text in ("·", "@")
        and before[start - 2].kind not in ("fraction", "big")
    ):
        start -= 2
    return start


def _side(pieces: list[Piece]) -> str:
    """Above or below the line, where brackets around all of it are not needed."""
    if len(pieces) == 1 and pieces[0].kind == "group" and pieces[0].text:
        return pieces[0].text
    markup = "".join(piece.markup for piece in pieces)
    return markup if len(pieces) == 1 else f"<mrow>{markup}</mrow>"
