"""The filter as a service: a page to read and answer, protocols for other programs, feeds fetched in the background.

It holds no logic of its own: handlers ask a reader's `Inbox`, which works without it.

app               the application: its routes and what stands before them
server            the application served: sockets, one-time link, clean end
ledger            the main state's tables of the service, shared by threads; leases
accounts          readers' names, passwords, preferences
sessions          cookies, one-time links, anti-forgery tokens, limits on failed logins
open_inboxes      an open inbox for each reader
service_parts     all that handlers use, and the options of the service
visitors          who asks: sessions of requests, forms that belong to them
request_guard     sizes, times, hosts, prefix and headers of every request
service_faults    errors as readers see them, without paths and addresses of the server
background_worker fetching, filtering and sending, in turn

page_templates    templates filled; messages; redirects
entry_cards       items as they stand on pages
login_pages, inbox_pages, profile_pages, feed_pages, settings_pages, program_pages
                  the pages
threshold_pictures
                  charts of a profile, drawn once

entry_forms       entries as Atom, JSON Feed and HTML, for other programs
google_reader, google_reader_login, google_reader_streams, google_reader_edits, google_reader_forms
                  the Google Reader API: its calls; who asks; which entries; what is changed; the answers' form
secret_feeds      feeds at secret addresses
mail_plans, mail_digest, mail_message, mail_links, mail_server
                  digests by mail: when and to whom; sent; their text; their links; the mail server
signed_links      tokens that links in mails carry
webhooks          deliveries sent to addresses of readers
"""
