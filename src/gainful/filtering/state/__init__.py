"""A filter in use: an event log in a database is the truth; everything else follows from it and can be rebuilt.

filter           Filter: documents, profiles and feedback go in, deliveries and explanations come out
filter_calls, maintenance, erasure
                 its parts: profiles, documents, deliveries and feedback; settings and checks; removal
filter_session   one transaction after another, the engine in step with the state, documents on their way in
filter_results   what a filter returns
reader_states    the filters of several readers
events           events as records, with the settings that they carry
event_log        events written and read
store            a connection to a state, whatever database it lies in: transactions and checked rows
sqlite_file, file_creation
                 a state in an SQLite file
postgres_schema, postgres_dialect
                 a state in a schema of PostgreSQL
store_address    which of them an address names
state_move       from one to the other
schema, column_types
                 tables of the log and those that follow from it, older versions
tables_beside_log
                 those of feeds, of an inbox and of the service
migration        older versions brought to this one
engine           what follows from the events: idf epochs, history, profiles, thresholds
derived, rebuild the tables that follow from the log: read, written, computed again, compared
history_vectors, profile_index
                 the history as vectors; all profiles side by side
sibling_index    profiles that learn from each other
reader_answers, undelivered
                 what readers ask
export           everything as JSON lines
"""
