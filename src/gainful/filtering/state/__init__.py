"""The filter in use: an event log in SQLite is the truth, everything else is made from it and can be made anew.

filter     Filter: documents, profiles and feedback go in, deliveries and explanations come out
profiles, stream, care  its parts: what readers wish for; documents and feedback; the state as a whole
session    one transaction after the other, and the engine as the file has it
events     what happened, as records; log writes and reads them
schema, store           the file: its tables and transactions
making, migration       a new file; one of an older version
derived                 the tables made from the log, read and written
engine                  what follows from the events: idf epochs, history, profiles, thresholds
panel, shelf, cap       profiles side by side; the history as vectors; which documents stay in it
arrivals, wishes        documents and profiles on their way in
answers, explain        what a reader asks
rebuild, checkup        everything made anew, and compared
forget, export          data out of it, for good or as JSON lines
results    what a filter answers
"""
