"""A reader's inbox: items of feeds go through the reader's filter, what was delivered is listed, marked and answered.

inbox            Inbox: everything that a page, a program or a terminal asks for
inbox_entry      what it returns: entries, and how an answer moved a threshold
entry_pages      deliveries and near misses as entries, by pages
entry_selection  which entries are asked for, as SQL
delivery_reasons the terms that a document was delivered for, of many documents at once
whole_words      these terms as words of the document
reader_texts     answers of a filter with the texts of feed items, and words in place of terms
shown_list, entry_text
                 numbered lists in a terminal, kept, so that people answer by number; entries as text and JSON
"""
