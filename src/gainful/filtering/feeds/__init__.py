"""Feeds: subscribed to, fetched from where strangers point, parsed at a distance, and stored once for all readers.

feed_store, feed_records
                 FeedStore: who reads which feed, items given to each reader; Feed and FeedItem
feed_address     addresses of feeds: made regular, shown without passwords
same_story       when two items tell the same story
"""
