"""What readers get: deliveries as a table, JSON lines, a digest or an Atom feed; answers to their questions.

delivery_forms  deliveries with the terms they came for, in four forms
profile_text    profiles, and why a document was delivered or not
threshold_text  utility against cutoff, the threshold over time, what another threshold would have delivered
safe_text       text of any origin, made safe for a terminal, Markdown or XML
"""
