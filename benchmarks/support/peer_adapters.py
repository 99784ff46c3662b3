"""Means that installed peers give for collections; run in an environment of their own, which knows nothing of Gainful.

python peer_adapters.py TOOL [REQUIREMENT] < collections.json > means.json

REQUIREMENT names another version of the tool, which is installed in the folder `versions` of the environment: beir==1.0.0.
A collection is {"judgments": {topic: {document: grade}}, "run": {topic: [[document, score], ...]}}; an answer is
{measure: mean}, or the name of the error that the tool raised.
"""

import contextlib
import json
import os
import sys
import warnings
from pathlib import Path

import peers_of_ids
import peers_of_judgments
import peers_of_labels

KINDS = (peers_of_judgments, peers_of_labels, peers_of_ids)
BATCHED = ("rax",)


def answered(tool, collections):
    """The answers of a tool, collection by collection."""
    if tool.__name__ in BATCHED:
        return tool(collections)
    answers = []
    for collection in collections:
        try:
            answers.append(tool(collection))
        except Exception as error:
            answers.append(f"{type(error).__name__}: {error}"[:200])
    return answers


def main():
    warnings.simplefilter("ignore")
    tool = getattr(next(kind for kind in KINDS if hasattr(kind, sys.argv[1])), sys.argv[1])
    if len(sys.argv) > 2:
        sys.path.insert(0, str(Path(sys.prefix, "versions", sys.argv[2])))
    out = os.dup(1)
    os.dup2(2, 1)  # what tools print goes elsewhere
    with contextlib.redirect_stdout(sys.stderr):
        answers = answered(tool, json.load(sys.stdin))
    os.write(out, json.dumps(answers).encode())


if __name__ == "__main__":
    main()
