-- Where notifications go, and what is on its way there. The log says who changed a target; what a target is told follows
-- from the log and from what needs somebody.
create table answer_evidence.notification_targets (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  name text not null,
  origin text not null,
  object_id uuid not null,
  wrapped_key bytea not null,
  -- The address and the secrets, of which an address may be one.
  sealed bytea not null,
  event_types_json text,
  created_at bigint not null,
  removed_at bigint,
  version integer not null,
  primary key (workspace_id, id)
);
create table answer_evidence.notification_states (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  target_id uuid not null,
  state text not null,
  reason text,
  changed_at bigint not null,
  failing_since bigint,
  failures integer not null,
  paused_until bigint not null,
  leased_until bigint not null,
  wake_at bigint not null,
  primary key (workspace_id, target_id)
);
create table answer_evidence.notifications (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  position bigint not null,
  type text not null,
  subject text not null,
  happened_at bigint not null,
  content_json text not null,
  primary key (workspace_id, id)
);
create index notifications_of_subject on answer_evidence.notifications (workspace_id, type, subject, happened_at);
create table answer_evidence.notification_deliveries (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  target_id uuid not null,
  notification_id uuid not null,
  position bigint not null,
  subject text not null,
  state text not null,
  attempts integer not null,
  due_at bigint not null,
  last_status integer,
  last_error text,
  created_at bigint not null,
  delivered_at bigint,
  primary key (workspace_id, target_id, notification_id)
);
create index notification_deliveries_order
  on answer_evidence.notification_deliveries (workspace_id, target_id, position);
create index notification_deliveries_pending
  on answer_evidence.notification_deliveries (workspace_id, target_id, position) where state = 'pending';
create index notification_deliveries_subject
  on answer_evidence.notification_deliveries (workspace_id, target_id, subject, position) where state = 'pending';
create index notification_deliveries_age on answer_evidence.notification_deliveries (workspace_id, created_at);
create index notification_deliveries_of
  on answer_evidence.notification_deliveries (workspace_id, notification_id);
create table answer_evidence.notification_conditions (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  condition text not null,
  began_at bigint not null,
  item_json text not null,
  primary key (workspace_id, condition)
);
create table answer_evidence.notification_places (
  workspace_id uuid primary key references answer_evidence.workspaces (id),
  tree_size bigint not null,
  position bigint not null
);

do $$
declare
  name text;
begin
  foreach name in array array['notification_targets', 'notification_states', 'notifications',
                              'notification_deliveries', 'notification_conditions', 'notification_places'] loop
    execute format('grant select, insert, update, delete on answer_evidence.%I to answer_evidence_app', name);
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
-- A target is removed by its time, so that its deliveries name something.
revoke delete on answer_evidence.notification_targets, answer_evidence.notification_states from answer_evidence_app;

-- Whose log has grown since it was read for notifications.
grant select (workspace_id, removed_at) on answer_evidence.notification_targets to answer_evidence_relay;
grant select (workspace_id, tree_size) on answer_evidence.notification_places to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.notification_targets for select to answer_evidence_relay
  using (true);
create policy work_of_every_workspace on answer_evidence.notification_places for select to answer_evidence_relay
  using (true);
