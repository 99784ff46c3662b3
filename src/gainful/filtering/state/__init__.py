"""A filter in use: an event log in SQLite is the truth; everything else follows from it and can be rebuilt.

filter           Filter: documents, profiles and feedback go in, deliveries and explanations come out
filter_calls, maintenance
                 its parts: profiles, documents, deliveries and feedback; settings, checks and removal
filter_session   one transaction after another, the engine in step with the file, documents on their way in
filter_results   what a filter returns
events           events as records, with the settings that they carry
event_log        events written and read
sqlite_file      the file: transactions and checked rows
schema           tables, atomic creation, older versions
engine           what follows from the events: idf epochs, history, profiles, thresholds
derived, rebuild the tables that follow from the log: read, written, computed again, compared
history_vectors, profile_index
                 the history as vectors; all profiles side by side
reader_answers   what readers ask
export           everything as JSON lines
"""
