-- Lists of an application and windows of a reconciliation go by the kinds of its records, so nothing needs this one.
drop index concurrently if exists answer_evidence.answer_records_application;
