-- The list of tokens is read from its place on, newest first; ended tokens stay, so that it only grows.
create index tokens_order on answer_evidence.tokens (workspace_id, created_at, id);
