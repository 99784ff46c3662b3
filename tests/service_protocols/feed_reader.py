"""What a feed reader does through the Google Reader API, and what came of it."""

from gainful.filtering.service.google_reader_streams import long_id

READING_LIST = "user/-/state/com.google/reading-list"
READ, STARRED = "user/-/state/com.google/read", "user/-/state/com.google/starred"
NOT_RELEVANT, SAVED = "user/-/label/not relevant", "user/-/label/saved"
ATOM = "{http://www.w3.org/2005/Atom}"


def titles(served, stream=READING_LIST, **given):
    """Titles of a stream's items, in order."""
    with served.client() as client:
        answer = client.get(f"stream/contents/{stream}", params=given)
        assert answer.status_code == 200, answer.text
        return [item["title"] for item in answer.json()["items"]]


def numbers(served):
    """Numbers of the entries by their titles."""
    return {title: entry.number for title, entry in served.entries().items()}


def edit(served, title, **given):
    """Change the tags of an entry; a and r are tags."""
    with served.client() as client:
        answer = client.post("edit-tag", data={"i": long_id(numbers(served)[title]), **given})
        assert answer.text == "OK", answer.text


def standing(served, title):
    """Verdict, read and saved of an entry, and the threshold of its profile."""
    with served.inbox() as inbox:
        entry = next(entry for entry in inbox.entries() if entry.title == title)
        return entry.verdict, entry.read, entry.saved, inbox.filter.profile(entry.profile).theta


def subscriptions(served):
    with served.client() as client:
        return {feed["id"]: feed["title"] for feed in client.get("subscription/list").json()["subscriptions"]}
