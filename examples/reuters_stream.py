"""A stream, topics and judgments from the files of Reuters-21578 (Distribution 1.0), for `gainful filter simulate`.

    python examples/reuters_stream.py FOLDER OUT

FOLDER holds reut2-000.sgm … reut2-021.sgm and cat-descriptions_120396.txt, plain or as .gz; three files go into OUT.
Stories whose topics were assigned (TOPICS="YES") are taken in the order of their numbers: for these, a topic that is
not named is one that does not apply. Without arguments a made-up story shows what comes out.
"""

import gzip
import html
import json
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

STORY = re.compile(r'<REUTERS TOPICS="YES"[^>]*NEWID="(\d+)"[^>]*>(.*?)</REUTERS>', re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
CATEGORY = re.compile(r"^(?:(.+?) )?\(?([A-Z][A-Z0-9-]*)\)?\s*$", re.MULTILINE)

MADE_UP = """<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="7"><DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS><D>cocoa</D><D>ship</D></TOPICS><TEXT>&#2;
<TITLE>COCOA ARRIVES BY SEA</TITLE><BODY>Forty bags &lt;of cocoa> were landed.
Reuter &#3;</BODY></TEXT></REUTERS>"""


def read(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("latin-1")


def within(tag: str, text: str) -> str:
    found = re.search(rf"<{tag}[^>]*>(.*?)</{tag}>", text, re.DOTALL)
    return found[1] if found else ""


def cleaned(text: str) -> str:
    return CONTROL.sub(" ", html.unescape(text)).strip()


def moment(text: str) -> str | None:
    """The date in ISO format; four of them are damaged, and are left out."""
    try:
        return datetime.strptime(text.strip().split(".")[0], "%d-%b-%Y %H:%M:%S").isoformat()
    except ValueError:
        return None


def stories(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Each story of a file as a document of the stream, with its topics."""
    for number, story in STORY.findall(text):
        body = within("BODY", story) or re.sub(
            r"<TITLE>.*?</TITLE>|<[^>]+>", " ", within("TEXT", story), flags=re.DOTALL
        )
        document = {"id": number, "title": cleaned(within("TITLE", story)), "text": cleaned(body)}
        if date := moment(within("DATE", story)):
            document["date"] = date
        # Two stories name a topic twice.
        yield document, list(dict.fromkeys(re.findall("<D>(.*?)</D>", within("TOPICS", story))))


def descriptions(text: str) -> dict[str, str]:
    """What each category code stands for, where the list says so."""
    return {code.lower(): (words or "").replace("/", " ") for words, code in CATEGORY.findall(text)}


def files(folder: Path, name: str) -> list[Path]:
    found = sorted(folder.glob(f"{name}*"))
    if not found:
        sys.exit(f"there is no {name}* in {folder}")
    return found


def convert(folder: Path, out: Path) -> None:
    documents, judgments = [], {}
    for path in files(folder, "reut2-"):
        for document, topics in stories(read(path)):
            documents.append(document)
            judgments[document["id"]] = topics
    documents.sort(key=lambda document: int(document["id"]))
    known = descriptions(read(files(folder, "cat-descriptions")[0]))
    topics = sorted({topic for assigned in judgments.values() for topic in assigned})
    out.mkdir(parents=True, exist_ok=True)
    with (out / "stream.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(document) + "\n" for document in documents)
    with (out / "topics.jsonl").open("w", encoding="utf-8") as described:
        for topic in topics:
            words = f"{topic.replace('-', ' ')} {known.get(topic, '')}".strip()
            described.write(json.dumps({"id": topic, "text": words}) + "\n")
    with (out / "qrels.txt").open("w", encoding="utf-8") as qrels:
        for document in documents:
            qrels.writelines(f"{topic} 0 {document['id']} 1\n" for topic in judgments[document["id"]])
    print(f"{len(documents):,} documents and {len(topics)} topics are in {out}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        convert(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        print("usage: python examples/reuters_stream.py FOLDER OUT\n\nA made-up story becomes:")
        for document, topics in stories(MADE_UP):
            print(json.dumps(document))
            print("\n".join(f"{topic} 0 {document['id']} 1" for topic in topics))
