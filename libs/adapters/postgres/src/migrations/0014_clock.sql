-- What the installation knows of the time, so that a start with a wrong clock is recognised. One row for the installation: `passed_at`,
-- in microseconds, is a time that has passed, moved on by every process whose clock is plausible; `confirmations` counts how often an
-- operator has stated the time, which may put it back.
create table answer_evidence.clock_marks (
  singleton boolean primary key default true check (singleton),
  passed_at bigint not null,
  confirmations integer not null default 0
);
grant select, insert, update (passed_at, confirmations) on answer_evidence.clock_marks to answer_evidence_app;
