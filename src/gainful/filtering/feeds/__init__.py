"""Feeds: subscribed to, fetched from where strangers point, parsed at a distance, and stored once for all readers.

feed_store       FeedStore: everything about feeds that a state keeps
subscriptions, given_items, fetch_ledger
                 its parts: who reads which feed; items given to each reader; what is due, and what came of fetching it
feed_records     Feed, FeedItem, and what passes between the parts
same_story       when two items tell the same story
feed_address     addresses of feeds: made regular, shown without passwords
fetch_round      fetch_all, fetch_due: every feed that is due
fetch_request, fetch_reply, fetch_schedule
                 one request; what is answered, with its bounds; when to ask again
address_guard, guarded_network
                 where requests may go; connections that go nowhere else
parser_pool, parser_process
                 processes that parse, with bounds on memory and time
feed_content, item_markup, page_feeds
                 what they parse: feeds and JSON Feeds, the markup of items, the feeds that a page names
feed_items, feed_guard
                 RSS, Atom and RDF, also from files; what a feed must be before it is parsed
feed_finder      the feed of a web page
opml             lists of feeds, in and out
"""
