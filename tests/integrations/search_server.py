"""A small search engine on loopback that speaks as Elasticsearch, OpenSearch or Solr does; documents are words.

Shapes of requests and answers are those of the engines' references: Elasticsearch 8 and OpenSearch 2 `_msearch`, Solr 9's
JSON request API.
"""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

DOCUMENTS = {
    "d1": {"sku": "S-1", "text": "red shoes"},
    "d2": {"sku": "S-2", "text": "red red wine"},
    "d3": {"sku": "S-3", "text": "blue shoes and blue hats"},
    "d4": {"sku": "S-4", "text": "wine from the north"},
}


def found(query, size):
    """Documents with their scores, best first: a point for each time that a word of the query is there."""
    words = query.lower().split()
    scores = {id_: sum(of["text"].split().count(word) for word in words) for id_, of in DOCUMENTS.items()}
    best = sorted((-score, id_) for id_, score in scores.items() if score)
    return [(id_, float(-score)) for score, id_ in best[:size]]


class Index:
    """What the server was asked, and how it misbehaves.

    faults  statuses to answer with before anything is answered well, or functions that change a good answer
    """

    def __init__(self, faults=(), authorization=None):
        self.faults, self.authorization = list(faults), authorization
        self.asked, self.lock = [], Lock()


def of_elasticsearch(handler, body):
    """Answers to the searches of an NDJSON body."""
    if handler.headers["Content-Type"] != "application/x-ndjson" or not body.endswith(b"\n"):
        return 400, {"error": {"type": "illegal_argument_exception", "reason": "not NDJSON"}, "status": 400}
    lines = [json.loads(line) for line in body.splitlines()]
    responses = []
    for header, search in zip(lines[::2], lines[1::2], strict=True):
        assert header == {}
        (kind, clause), *_ = search["query"].items()
        if kind != "multi_match":
            reason = f"unknown query [{kind}]"
            cause = {"type": "parsing_exception", "reason": reason}
            responses.append({"error": {"root_cause": [cause], **cause}, "status": 400})
            continue
        hits = [
            {"_index": "products", "_id": id_, "_score": score}
            | ({"_source": {"sku": DOCUMENTS[id_]["sku"]}} if search["_source"] else {})
            for id_, score in found(clause["query"], search["size"])
        ]
        shards = {"total": 2, "successful": 2, "skipped": 0, "failed": 0}
        responses.append(
            {"took": 1, "timed_out": False, "_shards": shards, "hits": {"hits": hits}, "status": 200}
        )
    return 200, {"took": 1, "responses": responses}


def of_solr(handler, body):
    """The answer to a JSON request."""
    request = json.loads(body)
    if "edismax" not in request["query"]:
        error = {"msg": "Unknown query parser", "code": 400}
        return 400, {"responseHeader": {"status": 400}, "error": error}
    assert request["fields"][1] == "score"
    field = request["fields"][0]
    documents = [
        ({field: names[field]} if field in (names := {"id": id_, **DOCUMENTS[id_]}) else {})
        | {"score": score}
        for id_, score in found(request["query"]["edismax"]["query"], request["limit"])
    ]
    header = {"status": 0, "QTime": 1}
    return 200, {"responseHeader": header, "response": {"numFound": len(documents), "docs": documents}}


@contextmanager
def serving(faults=(), authorization=None):
    """The index and its address; each path answers as the engine does that has it."""
    index = Index(faults, authorization)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with index.lock:
                index.asked.append((self.path, body))
                fault = index.faults.pop(0) if index.faults else None
            answers = {"/products/_msearch": of_elasticsearch, "/solr/products/select": of_solr}
            if isinstance(fault, int):
                self.answer(fault, {"error": {"reason": "circuit breaker", "type": "es_rejected"}})
            elif index.authorization and self.headers["Authorization"] != index.authorization:
                self.answer(401, {"error": {"reason": "missing authentication credentials"}})
            elif self.path not in answers:
                self.answer(404, {"error": {"reason": f"no such index [{self.path.split('/')[1]}]"}})
            else:
                status, answer = answers[self.path](self, body)
                self.answer(status, fault(answer) if fault else answer)

        def answer(self, status, answer):
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_said):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield index, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
