-- Rows that no entry of a log covers get a MAC over all their columns, under a key that is not in the database.
--
-- A row from before this migration has none. The start after it seals those rows, once for each workspace: only under a
-- head whose MAC is of the form before, and in the transaction that gives the head its new form. So a MAC that goes
-- missing later is a finding, and is never written again.

alter table answer_evidence.installation
  add column workspaces integer,
  add column token_keys integer,
  add column mac bytea;
alter table answer_evidence.workspaces add column mac bytea;
alter table answer_evidence.token_signing_keys add column mac bytea;
alter table answer_evidence.evidence_dues add column mac bytea;
alter table answer_evidence.evidence_purges add column mac bytea;

grant update (workspaces, token_keys, mac) on answer_evidence.installation to answer_evidence_app;
grant update (mac) on answer_evidence.workspaces, answer_evidence.token_signing_keys, answer_evidence.evidence_dues,
  answer_evidence.evidence_purges to answer_evidence_app;
