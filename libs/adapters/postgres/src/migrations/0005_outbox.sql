-- The outbox: jobs are written in the transaction of the data that they are about, and a relay carries their ids to the queue. No
-- row is ever moved by a queue alone: what counts about a job stands here.

do $$
begin
  create role answer_evidence_relay nologin;
exception when duplicate_object or unique_violation then
  null; -- Roles belong to the cluster; another database of it may have made this one, or be making it right now.
end $$;

do $$
begin
  execute format('grant answer_evidence_relay to %I', current_user);
exception when insufficient_privilege or invalid_grant_operation then
  null;
end $$;

grant usage on schema answer_evidence to answer_evidence_relay;

-- `dispatched_at`: when the queue last got the job; null while it waits for that. `generation` counts the times that it was put back
-- by its consumer, and tells one handing-over from the next. `attempts` counts how often a consumer has begun it.
create table answer_evidence.outbox (
  workspace_id uuid not null,
  id uuid not null,
  topic text not null,
  subject uuid,
  created_at bigint not null,
  due_at bigint not null,
  dispatched_at bigint,
  generation integer not null default 0,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index outbox_due on answer_evidence.outbox (due_at, id) where dispatched_at is null;
create index outbox_dispatched on answer_evidence.outbox (dispatched_at) where dispatched_at is not null;

create table answer_evidence.dead_letters (
  workspace_id uuid not null,
  id uuid not null,
  topic text not null,
  subject uuid,
  attempts integer not null,
  reason_code text not null,
  reason_detail text not null,
  created_at bigint not null,
  failed_at bigint not null,
  replayed_at bigint,
  primary key (workspace_id, id)
);
create index dead_letters_open on answer_evidence.dead_letters (workspace_id, failed_at desc, id desc)
  where replayed_at is null;

-- The service adds jobs and has dead letters replayed; everything else about them is the relay's, which sees the ids of every
-- workspace and no other table.
grant select, insert on answer_evidence.outbox to answer_evidence_app;
grant select, update (replayed_at) on answer_evidence.dead_letters to answer_evidence_app;
grant select, update (due_at, dispatched_at, generation, attempts), delete on answer_evidence.outbox to answer_evidence_relay;
grant select, insert, update, delete on answer_evidence.dead_letters to answer_evidence_relay;

do $$
declare
  name text;
begin
  foreach name in array array['outbox', 'dead_letters'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
    execute format('create policy every_workspace on answer_evidence.%I to answer_evidence_relay
      using (true) with check (true)', name);
  end loop;
end $$;
