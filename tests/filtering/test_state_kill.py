"""Kills at any moment, of a writer or of PostgreSQL itself: every acknowledged event is in the state, once, and nothing by
halves. `make kills` kills the service and PostgreSQL a hundred times.
"""

from .nursery import Nursery, Promises

ROUNDS = 100


def test_a_hundred_kills_lose_nothing_that_was_acknowledged_and_double_nothing(folder):
    path = folder / "state"
    promises, nursery = Promises(path), Nursery(path, seed=8)
    for turn in range(ROUNDS):
        promises.kept(nursery.killed(), turn)
    nursery.close()
    assert promises.steps > ROUNDS
    assert promises.agree().epoch >= 2


def test_kills_of_writers_and_of_postgresql_lose_nothing_that_was_acknowledged(postgres_server):
    address = postgres_server.database()
    promises, nursery = Promises(address), Nursery(address, seed=3)
    rounds = 8
    try:
        for turn in range(rounds):
            if turn % 2:
                acknowledged = nursery.killed(postgres_server.kill)
                postgres_server.start()
            else:
                acknowledged = nursery.killed()
            promises.kept(acknowledged, turn)
    finally:
        if postgres_server.process.poll() is not None:
            postgres_server.start()
        nursery.close()
    assert promises.steps > rounds
    promises.agree()
