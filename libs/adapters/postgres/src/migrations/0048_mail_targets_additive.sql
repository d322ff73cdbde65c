-- How a target of mail is written to, and the manager who added it. Null: a webhook.
alter table answer_evidence.notification_targets add column mail_json text;
