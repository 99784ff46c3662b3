"""Filtering: a stream of documents, readers with profiles, and thresholds that learn what is worth delivering.

    threshold_rules       beta_gamma and the other threshold rules: pure functions of scores and feedback
    threshold_registry    threshold_rule makes a rule of a function, also of one's own
    theta_opt_and_zero    the utility of deliveries, at each cutoff of the documents seen
    relevance_calibration, expected_utility, reliability
                          probabilities of relevance, what cutoffs can be expected to bring, and how far to trust it
    sibling_profiles      what the answers to a reader's other profiles say of one of hers
    rule_text             rules and profiles with their parameters, as text and as grids
    analyzer              text becomes terms
    vectors               terms become vectors, by the idf epoch in force; Rocchio mixes them into a profile
    learner               the profile and the threshold of one reader, learned from judged documents
    document              documents, topics
    stream_reader         files become documents and topics
    feeds                 feeds: read from files; subscribed to, fetched, and stored once for all readers
    stream_epochs         the documents of a stream as vectors, in idf epochs
    replay, experiment    a judged stream replayed, for many topics, rules and processes
    simulation_run        simulate: many rules side by side
    simulation, simulation_output, threshold_charts
                          its results, as tables, JSON and charts
    demo                  a stream generated from a random seed
    state                 Filter: a filter in use, on an event log in SQLite
    delivery_forms        deliveries as a table, JSON lines, a Markdown digest or an Atom feed
    answer_text, history_text
                          answers to readers' questions, as text and records
    safe_text             HTML becomes text; text is made safe for a terminal, Markdown or XML

>>> from gainful.filtering import beta_gamma
>>> beta_gamma([0.9, 0.8, 0.7, 0.6], [True, None, None, None]).theta_opt
0.9
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
