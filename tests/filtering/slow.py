"""An adaptive filter written out slowly, document by document and term by term; it calls nothing of the package."""

import math


def tf(count):
    return 1 + math.log(count) if count >= 1 else count


def vector(counts, idf):
    weights = {term: tf(count) * idf(term) for term, count in counts.items()}
    length = math.sqrt(sum(weight**2 for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()}


def dot(one, other):
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def idf_of(documents):
    having = {}
    for counts in documents:
        for term in counts:
            having[term] = having.get(term, 0) + 1
    return lambda term: math.log((len(documents) + 1) / (having.get(term, 0) + 0.5))


def rocchio(query, relevant, other, *, description, others, terms):
    weights = {term: description * weight for term, weight in query.items()}
    for documents, weight in ((relevant, 1.0), (other, -others)):
        for document in documents:
            for term, value in document.items():
                weights[term] = weights.get(term, 0.0) + weight * value / len(documents)
    kept = sorted((one for one in weights.items() if one[1] > 0), key=lambda one: -one[1])[:terms]
    length = math.sqrt(sum(weight**2 for _, weight in kept))
    return {term: weight / length for term, weight in kept}


def beta_gamma(scores, said, *, beta=0.4, gamma=0.02, share=0.005):
    """theta from the scores of all documents seen; `said` has True or False for those that were judged."""
    ranked = sorted({score for score in scores if score > 0}, reverse=True)
    alpha = beta + (1 - beta) * math.exp(-gamma * len(said))
    if not ranked:
        return 0.0
    if not any(relevant and scores[number] > 0 for number, relevant in said.items()):
        above = sorted((score for score in scores if score > 0), reverse=True)
        start = above[min(max(1, math.floor(share * len(scores))), len(above)) - 1]
        return above[0] - alpha * (above[0] - start)
    utility = {}
    for cutoff in ranked:
        delivered = [number for number, score in enumerate(scores) if score >= cutoff]
        good = sum(said.get(number, False) for number in delivered)
        utility[cutoff] = 2 * good - (len(delivered) - good)
    best = min(cutoff for cutoff in ranked if utility[cutoff] == max(utility.values()))
    below = [cutoff for cutoff in ranked if cutoff < best and utility[cutoff] <= 0]
    zero = below[0] if below else ranked[-1]
    return best - alpha * (best - zero)


def filtered(
    documents,
    query,
    relevant,
    *,
    start,
    examples,
    description=1.0,
    others=0.5,
    terms=200,
    delay=0,
    judges=None,
    growth=2.0,
):
    """Numbers of the documents delivered, and theta at each of them; documents and query are counts of terms."""
    said = dict.fromkeys(examples, True)
    coming, deliveries, thetas = [], [], []
    epoch_end, renew = start, True
    renewed_at = 0
    for number in range(start, len(documents)):
        if number >= epoch_end:
            idf = idf_of(documents[:number])
            vectors = [vector(counts, idf) for counts in documents]
            asked = vector(query, idf)
            epoch_end = min(max(64, int(number * growth), number + 1), len(documents))
            renew = True
        if renew or number >= renewed_at + max(1, math.ceil(renewed_at * 0.05)):
            good = [vectors[one] for one in sorted(said) if said[one]]
            bad = [vectors[one] for one in sorted(said) if not said[one]]
            profile = rocchio(asked, good, bad, description=description, others=others, terms=terms)
            history = [dot(profile, vectors[one]) for one in range(number)]
            theta = beta_gamma(history, said)
            renew, renewed_at = False, number
        score = dot(profile, vectors[number])
        if score >= theta and score > 0:
            deliveries.append(number)
            thetas.append(theta)
            if judges is None or judges(number):
                coming.append((number + 1 + delay, number))
        while coming and coming[0][0] <= number + 1:
            _, judged = coming.pop(0)
            said[judged] = judged in relevant
            renew = True
    return deliveries, thetas
