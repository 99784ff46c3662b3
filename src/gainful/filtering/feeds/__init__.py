"""RSS, Atom and RDF from files: bounded in time and memory whatever they hold.

guarding  bytes become text that is safe to parse
markup    HTML becomes text
reading   items become documents
"""

from gainful.filtering.feeds.reading import Feed, feed_in, read_feed

__all__ = ["Feed", "feed_in", "read_feed"]
