"""Pages of the JSON that commands write."""
def schema_pages(): return {"index.md": "# JSON\n\n"}
