"""The text and the HTML of a mail: a digest with links to answer, and the question whether an address is its reader's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from textwrap import fill
from typing import TYPE_CHECKING

from gainful.filtering.safe_text import line, web
from gainful.filtering.service.entry_forms import title_of, why
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from gainful.filtering.inbox.inbox_entry import Entry

_WIDTH = 76
_EXCERPT = 240
_SUBJECT = 150


@dataclass(frozen=True)
class Sheet:
    """An entry in a digest, with addresses that answer it; without a public address of the service there are none."""

    entry: Entry
    relevant: str = ""
    not_relevant: str = ""


@dataclass(frozen=True)
class Letter:
    """What a digest holds.

    sheets       entries, newest first
    more         how many others are waiting on the page
    page         the address of the service; empty where it has none that others reach
    unsubscribe  the address that ends these mails; empty likewise
    """

    sheets: Sequence[Sheet]
    more: int
    page: str
    unsubscribe: str


def digest_message(letter: Letter, *, sender: str, to: str, name: str, now: datetime) -> EmailMessage:
    """A digest as text and as HTML.

    name  of the message: the same for the same reader and period
    """
    message = _message(_subject(letter.sheets), sender, to, now)
    message["Message-ID"] = f"<{name}@{sender.partition('@')[2]}>"
    message["List-Id"] = f"Gainful digest <digest.{sender.partition('@')[2]}>"
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(_text(letter), cte="quoted-printable")
    message.add_alternative(_html(letter), subtype="html", cte="quoted-printable")
    return message


def confirmation_message(link: str, *, sender: str, to: str, now: datetime) -> EmailMessage:
    """Asks the owner of a mail address whether digests may be sent there."""
    message = _message("Gainful: may digests be sent to this address?", sender, to, now)
    message.set_content(
        "Somebody, probably you, asked Gainful to send digests to this address.\n"
        f"To allow it, open this page within a week:\n\n{link}\n\n"
        "If it was not you, do nothing: no other mail will come.\n",
        cte="quoted-printable",
    )
    return message


def _message(subject: str, sender: str, to: str, now: datetime) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = f"Gainful <{sender}>"
    message["To"] = to
    message["Date"] = format_datetime(now)
    message["Auto-Submitted"] = "auto-generated"
    return message


def _subject(sheets: Sequence[Sheet]) -> str:
    counts: dict[str, int] = {}
    for sheet in sheets:
        counts[sheet.entry.profile] = counts.get(sheet.entry.profile, 0) + 1
    named = ", ".join(f"{line(profile, 40)} {count}" for profile, count in counts.items())
    return line(f"{counted(len(sheets), 'item')} to read: {named}", _SUBJECT)


def _by_profile(sheets: Sequence[Sheet]) -> dict[str, list[Sheet]]:
    grouped: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        grouped.setdefault(sheet.entry.profile, []).append(sheet)
    return grouped


# ---- text


def _text(letter: Letter) -> str:
    parts = []
    for profile, sheets in _by_profile(letter.sheets).items():
        head = line(profile, 60)
        parts.append(f"{head}\n{'=' * len(head)}\n")
        parts += [_text_sheet(sheet) for sheet in sheets]
    return "\n".join([*parts, *_text_foot(letter)])


def _text_sheet(sheet: Sheet) -> str:
    entry = sheet.entry
    lines = [fill(title_of(entry), _WIDTH)]
    if entry.feed:
        lines.append(line(entry.feed, _WIDTH))
    if entry.excerpt:
        lines.append(fill(line(entry.excerpt, _EXCERPT), _WIDTH, initial_indent="  ", subsequent_indent="  "))
    lines.append(fill(why(entry), _WIDTH, initial_indent="  ", subsequent_indent="  "))
    for word, address in (("Read", web(entry.link)), ("Yes", sheet.relevant), ("No", sheet.not_relevant)):
        if address:
            lines.append(f"  {word}: {address}")
    return "\n".join(lines) + "\n"


def _text_foot(letter: Letter) -> list[str]:
    lines = ["-- "]
    if letter.more:
        lines.append(f"{counted(letter.more, 'more item')} on the page.")
    if letter.page:
        lines.append(f"All of it: {letter.page}")
    if letter.unsubscribe:
        lines.append(f"No more of these mails: {letter.unsubscribe}")
    return ["\n".join(lines) + "\n"]


# ---- HTML: no pictures, nothing that is loaded, styles in the elements as mail programs want them


def _html(letter: Letter) -> str:
    parts = []
    for profile, sheets in _by_profile(letter.sheets).items():
        parts.append(f'<h2 style="font-size:18px;margin:24px 0 8px">{escape(line(profile, 60))}</h2>')
        parts += [_html_sheet(sheet) for sheet in sheets]
    foot = []
    if letter.more:
        foot.append(f"{counted(letter.more, 'more item')} on the page.")
    if letter.page:
        foot.append(_link(letter.page, "Open Gainful"))
    if letter.unsubscribe:
        foot.append(_link(letter.unsubscribe, "No more of these mails"))
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Gainful</title></head>\n'
        '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:640px;margin:0 auto;padding:16px">\n'
        f'{body}\n<hr>\n<p style="font-size:14px">{" · ".join(foot)}</p>\n</body></html>\n'
    )


def _html_sheet(sheet: Sheet) -> str:
    entry = sheet.entry
    title = escape(title_of(entry))
    link = web(entry.link)
    head = _link(link, title_of(entry)) if link else title
    feed = f"<br>{escape(line(entry.feed, 100))}" if entry.feed else ""
    excerpt = f"<br>{escape(line(entry.excerpt, _EXCERPT))}" if entry.excerpt else ""
    answers = " &nbsp; ".join(
        _link(address, word)
        for word, address in (("👍 relevant", sheet.relevant), ("👎 not relevant", sheet.not_relevant))
        if address
    )
    return (
        f'<p style="margin:0 0 16px"><strong>{head}</strong>{feed}{excerpt}<br>'
        f'<span style="font-size:14px">{escape(why(entry))}</span>{f"<br>{answers}" if answers else ""}</p>'
    )


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}" rel="noreferrer">{escape(text)}</a>'
