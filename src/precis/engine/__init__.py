"""The engine: plan, draft, check, commit. Start reading at pipeline.py."""
