-- A renewal is an anchor over earlier tokens, `covered`: a time-stamp over the root of a tree of their hashes. `kept` says why it
-- was made, and has the revocation lists of the time. `ends_at` is when the first certificate of a token ends.
alter table answer_evidence.anchors add column covered bytea, add column kept text;
alter table answer_evidence.anchor_attempts add column ends_at bigint;
