"""RSS, Atom and RDF from files: bounded in time and memory whatever they hold.

feed_guard  bytes become text that is safe to parse
html_text   HTML becomes text
feed_items  items become documents
"""

from gainful.filtering.feeds.feed_items import Feed, feed_in, read_feed

__all__ = ["Feed", "feed_in", "read_feed"]
