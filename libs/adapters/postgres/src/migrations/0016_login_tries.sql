-- Tries to sign in, and places from which members have signed in, of all processes together. Keys are MACs of account and address, so
-- that neither is stored. `free_at`, in microseconds, is when all tries of the key are there again. Nothing here vouches for anything.
create table answer_evidence.login_tries (
  key bytea primary key,
  free_at bigint not null
);
create index login_tries_free on answer_evidence.login_tries (free_at);
grant select, insert, update (free_at), delete on answer_evidence.login_tries to answer_evidence_app;

-- Live tokens are counted whenever one is issued.
create index tokens_live on answer_evidence.tokens (workspace_id, expires_at) where revoked_at is null;

create table answer_evidence.login_places (
  key bytea primary key,
  last_at bigint not null
);
create index login_places_last on answer_evidence.login_places (last_at);
grant select, insert, update (last_at), delete on answer_evidence.login_places to answer_evidence_app;
