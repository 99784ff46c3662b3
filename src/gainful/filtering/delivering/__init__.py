"""What readers get: deliveries in four forms, and answers to their questions.

items        deliveries with the words that they came for
writing      text of any origin, made safe for where it is to stand
table, lines, digest, atom             the four forms
explained, previewed, profiled, drawn  answers as text and as records
"""
