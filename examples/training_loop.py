"""A model learns to rank, and nDCG@10 of the topics it has not seen is logged after each epoch.

Scores stay where they are, on the GPU if there is one; what is kept is a number for each topic.
"""

import importlib.util
import sys

from gainful import nDCG
from gainful.batch import Accumulator

if importlib.util.find_spec("torch") is None:
    print("nDCG@10 in a training loop needs PyTorch: pip install torch")
    sys.exit()

import torch

TOPICS, CANDIDATES, FEATURES, BATCH = 256, 40, 8, 32

torch.manual_seed(0)
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

# A document is worth what some of its features add up to, with noise; grades are 0 to 3.
features = torch.randn(TOPICS, CANDIDATES, FEATURES, device=device)
wanted = torch.tensor([2.0, 1.0, 0.5, 0, 0, 0, 0, 0], device=device)
worth = features @ wanted + 0.5 * torch.randn(TOPICS, CANDIDATES, device=device)
grades = torch.bucketize(worth, torch.tensor([1.0, 2.5, 4.0], device=device))
seen, unseen = slice(0, 192), slice(192, TOPICS)

model = torch.nn.Linear(FEATURES, 1, device=device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
validation = Accumulator([nDCG @ 10, "R@10"])


def log(epoch: int) -> None:
    validation.reset()
    with torch.no_grad():
        for start in range(unseen.start, unseen.stop, BATCH):
            batch = slice(start, start + BATCH)
            validation.update(model(features[batch]).squeeze(-1), grades[batch])
    values = "  ".join(f"{name} {value:.4f}" for name, value in validation.compute().items())
    print(f"epoch {epoch}  {values}")


log(0)
for epoch in range(1, 6):
    for start in range(seen.start, seen.stop, BATCH):
        batch = slice(start, start + BATCH)
        scores = model(features[batch]).squeeze(-1)
        target = torch.softmax(grades[batch].float(), dim=-1)
        loss = -(target * torch.log_softmax(scores, dim=-1)).sum(dim=-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    log(epoch)
