"""What a user knew before searching: did she find what she expected, and anything new?"""

import gainful

judgments = {"heat pumps": {"noise": 1, "costs": 2, "permits": 1, "refrigerants": 1, "history": 0}}
run = {"heat pumps": {"costs": 0.9, "history": 0.8, "noise": 0.7, "permits": 0.4}}
known = {
    "installer": {"heat pumps": ["noise", "refrigerants", "permits"]},
    "house owner": {"heat pumps": ["costs"]},
}

scores = gainful.evaluate(
    judgments, run, "Coverage, Novelty, RelRecall, RecallEffort", known=known, expected=2
)
for user in scores:
    print(f"{user.name:<18}", {name: round(value, 2) for name, value in user.mean.items()})

table = gainful.explain(judgments, run, "heat pumps", "Novelty", known=known["installer"])
print(table.text(places=2))
