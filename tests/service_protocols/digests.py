"""A service that sends digests, and what a test does with it."""

import re
from datetime import timedelta

from gainful.filtering.service.mail_digest import send_digests
from gainful.filtering.service.mail_plans import DigestPlans

from .conftest import Asked

PUBLIC = "http://gainful.test"


def plans(served):
    return DigestPlans(served.service.ledger)


def send(served):
    """What the service does every few seconds."""
    Asked.run(send_digests(served.service))


def next_day(served):
    served.clock.now = served.clock.now.replace(hour=7, minute=5) + timedelta(days=1)


def parts(message):
    text, html = message.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    return text.get_content(), html.get_content()


def links(message, what):
    return re.findall(rf"{PUBLIC}(/mail/{what}/[\w.-]+)", parts(message)[0])
