-- Whose own notifications a target of mail is for; null: those of the workspace.
alter table answer_evidence.notification_targets add column member_id uuid;
