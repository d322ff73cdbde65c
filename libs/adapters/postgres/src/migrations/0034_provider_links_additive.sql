-- Who members are at an OpenID provider. `entry_id` is the member_changed entry that says so, and the MAC is keyed by a
-- secret that is not in the database: whoever can write here lets nobody in.
create table answer_evidence.provider_links (
  workspace_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  issuer text not null,
  subject text not null,
  mac bytea not null,
  primary key (workspace_id, member_id),
  unique (workspace_id, issuer, subject)
);

grant select, insert, delete, update (entry_id, issuer, subject, mac)
  on answer_evidence.provider_links to answer_evidence_app;

alter table answer_evidence.provider_links enable row level security;
alter table answer_evidence.provider_links force row level security;
create policy one_workspace on answer_evidence.provider_links
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
