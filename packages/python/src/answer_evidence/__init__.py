"""Verifies answer evidence offline: see `answer_evidence.verify`."""
