-- Signing keys of tokens change hands by time, tokens are exchanged for new ones, and when a token was last used is kept.

-- A key signs from `signs_from` until the next generation does, and verifies until every token that it may have signed has expired. All
-- of that follows from these columns and the clock, so a rotation is one row, inserted once, and every process comes to the same answer.
-- Two processes that rotate at once meet in `generation`: one of them wins.
alter table answer_evidence.token_signing_keys add column generation integer, add column signs_from bigint;
update answer_evidence.token_signing_keys k set generation = numbered.generation, signs_from = k.created_at
  from (select kid, row_number() over (order by created_at, kid) as generation from answer_evidence.token_signing_keys) numbered
  where numbered.kid = k.kid;
alter table answer_evidence.token_signing_keys
  alter column generation set not null, alter column signs_from set not null, add unique (generation);

-- A token that was exchanged for a new one is revoked, but good until `overlap_until`, unless it is cut off before that.
alter table answer_evidence.tokens
  add column overlap_until bigint,
  add column cut_at bigint,
  add check (overlap_until is null or overlap_until > revoked_at),
  add check (cut_at is null or (cut_at > revoked_at and cut_at < overlap_until)),
  add check (overlap_until is null or revoked_at is not null),
  add check (cut_at is null or overlap_until is not null);

-- A name belongs to the one token that is neither revoked nor expired, and time cannot stand in an index. Every token is issued under the
-- lock of the head, where the name is looked up; this index is for that.
drop index answer_evidence.tokens_live_name;
create index tokens_name on answer_evidence.tokens (workspace_id, name) where revoked_at is null;

create or replace function answer_evidence.refuse_token_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.revoked_at is null and new.revoked_at is not null and new.cut_at is null
     and to_jsonb(new) - '{revoked_at,overlap_until}'::text[] = to_jsonb(old) - '{revoked_at,overlap_until}'::text[] then
    return new;
  end if;
  if tg_op = 'UPDATE' and old.overlap_until is not null and old.cut_at is null and new.cut_at is not null
     and to_jsonb(new) - 'cut_at' = to_jsonb(old) - 'cut_at' then
    return new;
  end if;
  raise exception '% on tokens is refused: a token is only ever revoked', tg_op using errcode = 'restrict_violation';
end $$;
grant update (overlap_until, cut_at) on answer_evidence.tokens to answer_evidence_app;

-- About when a token was last used: for people, so it is written now and then and vouched for by nothing.
create table answer_evidence.token_uses (
  workspace_id uuid not null,
  token_id uuid not null,
  last_used_at bigint not null,
  primary key (workspace_id, token_id)
);
grant select, insert, update (last_used_at) on answer_evidence.token_uses to answer_evidence_app;
alter table answer_evidence.token_uses enable row level security;
alter table answer_evidence.token_uses force row level security;
create policy one_workspace on answer_evidence.token_uses
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
