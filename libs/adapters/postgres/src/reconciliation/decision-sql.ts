import { FINDING_TYPES, type MatchField } from '@answer-evidence/contracts';
import { APPLICATION, MODE } from '../stores/record-kinds.ts';

/**
 * The decision of a run as SQL. It says once more, and set by set, what `decide` of `domain/reconciliation` says in
 * rules; a property test holds the two against each other.
 *
 * What it costs grows with the window and the references, not with the number of records: a window is a run of leaves
 * of one application, which one index serves, and everything else is looked up by key or joined by hashing. Joins in a
 * loop are switched off while it runs, so what is looked up for one record is a subquery in a subquery and never a
 * join, which would read a whole table for each record.
 *
 * Parameters of every statement: $1 workspace, $2 run, $3 the first leaf of the window, $4 the first after it, $5 the
 * first after window and lateness, $6 the size of the tree.
 */
const RUN = `run as materialized (
    select application_key, environment, match_on, window_start, window_end, max_lateness_seconds
    from answer_evidence.reconciliation_runs where workspace_id = $1 and id = $2)`;

/** Of references with one id, the first by time and hashes stands for all. */
const NAMED = `named as materialized (
    select distinct on (f.reference_id collate "C") f.reference_id, f.occurred_at, f.question_hash, f.answer_hash
    from answer_evidence.reconciliation_references f where f.workspace_id = $1 and f.run_id = $2
    order by f.reference_id collate "C", f.occurred_at,
      f.question_hash collate "C" nulls first, f.answer_hash collate "C" nulls first)`;

/**
 * The records of the application between two leaves, by the index of kinds of records: their modes are found first,
 * each by a search that leads past all records of the one before.
 */
function records(matchOn: MatchField, application: string, environment: string): string {
  const ofKind = `from answer_evidence.answer_records r
    where r.workspace_id = $1 and ${APPLICATION} = ${application} and r.environment = ${environment}`;
  const next = (after: string) => `(select ${MODE} ${ofKind} ${after} order by ${MODE} limit 1)`;
  return `candidates as materialized (
    with recursive modes as (
      select ${next('')} as mode
      union all
      select ${next(`and ${MODE} > m.mode`)} from modes m where m.mode is not null)
    select r.id, r.leaf_index, r.${matchOn} as match_value, r.question_hash, r.answer_hash
    ${ofKind} and ${MODE} = any(array(select mode from modes where mode is not null))
      and r.leaf_index >= $3 and r.leaf_index < $5)`;
}

/**
 * The leaves that bound the window: the first in it, the first after it, and the first after it plus the lateness. $3
 * is the size of the tree.
 */
export const BOUNDS = `select r.application_key, r.environment, r.match_on,
    answer_evidence.first_leaf_at($1, r.window_start, $3) as window_from,
    answer_evidence.first_leaf_at($1, r.window_end, $3) as window_to,
    answer_evidence.first_leaf_at($1, r.window_end + r.max_lateness_seconds::bigint * 1000000, $3) as search_to
  from answer_evidence.reconciliation_runs r where r.workspace_id = $1 and r.id = $2`;

/**
 * Records whose text must be opened to be compared with a reference. $7: application, $8: environment. Records whose
 * texts were erased or never stored are included, without contents.
 */
export function toOpenSql(matchOn: MatchField): string {
  return `with ${NAMED}, ${records(matchOn, '$7', '$8')}
    select c.id, c.leaf_index,
        case when n.question_hash like 'sha256:%' and c.question_hash like 'hmac-%' then n.question_hash end as question_hash,
        case when n.answer_hash like 'sha256:%' and c.answer_hash like 'hmac-%' then n.answer_hash end as answer_hash
      from named n join candidates c on c.match_value = n.reference_id
      where $2::uuid is not null and $4::bigint is not null and $6::bigint is not null
        and (n.question_hash like 'sha256:%' and c.question_hash like 'hmac-%'
          or n.answer_hash like 'sha256:%' and c.answer_hash like 'hmac-%')
      order by c.leaf_index`;
}

/**
 * Stores the record set: what was created in the window, and what was created after it, within the lateness, and is
 * named. Which earlier run names a record is looked up once for each value, since many records and many references can
 * have the same. $7 application, $8 environment, $9 the field that references name; $10 to $14 are arrays about the
 * records that were opened: id, question opened and the hash that it equals, answer opened and the hash that it equals.
 */
export function storeRecordsSql(matchOn: MatchField): string {
  return `with ${NAMED}, ${records(matchOn, '$7', '$8')},
    opened as materialized (
      select * from unnest($10::uuid[], $11::boolean[], $12::text[], $13::boolean[], $14::text[])
        as o (id, question_opened, question_equals, answer_opened, answer_equals)),
    unnamed as materialized (
      select distinct c.match_value from candidates c left join named n on n.reference_id = c.match_value
        where c.leaf_index < $4 and c.match_value is not null and n.reference_id is null),
    earlier as materialized (
      select u.match_value, (
          select completed.run_id from (
            select f.run_id, (
              select (select l.leaf_index from answer_evidence.ledger_leaves l
                  where l.workspace_id = $1 and l.subject = $1 and l.id = s.entry_id)
                from answer_evidence.reconciliation_states s
                where s.workspace_id = $1 and s.run_id = f.run_id and s.status = 'completed') as at
            from answer_evidence.reconciliation_references f
            where f.workspace_id = $1 and f.reference_id = u.match_value and (
              select e.application_key = $7 and e.environment = $8 and e.match_on = $9
                from answer_evidence.reconciliation_runs e where e.workspace_id = $1 and e.id = f.run_id)) completed
          where completed.at < $6 order by completed.at limit 1) as run_id
        from unnamed u)
    insert into answer_evidence.reconciliation_records
      (workspace_id, run_id, leaf_index, record_id, status, question_opened, question_equals, answer_opened, answer_equals,
       named_earlier)
    select $1, $2, c.leaf_index, c.id,
        coalesce((select case e.event_type when 'correction_appended' then 'corrected' else e.event_type end
          from answer_evidence.lifecycle_events e
          where e.workspace_id = $1 and e.record_id = c.id and e.event_type <> 'retention_extended' and (
            select l.leaf_index from answer_evidence.ledger_leaves l
              where l.workspace_id = $1 and l.subject = e.record_id and l.id = e.id) < $6
          order by e.sequence desc limit 1), 'recorded'),
        coalesce(o.question_opened, false), o.question_equals, coalesce(o.answer_opened, false), o.answer_equals,
        e.run_id
      from candidates c
      left join named n on n.reference_id = c.match_value
      left join opened o on o.id = c.id
      left join earlier e on e.match_value = c.match_value
      where c.leaf_index < $4 or n.reference_id is not null`;
}

/** JSON of a text or null. PostgreSQL and JCS write texts without control characters alike. */
const text = (sql: string) => `coalesce(to_json(${sql})::text, 'null')`;
/** A time in microseconds, as the service writes it, in JSON. */
const time = (sql: string) =>
  `'"' || to_char(timestamp '1970-01-01' + ${sql} * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"'`;
/** JSON of an object whose members are given in the order of JCS. */
const object = (members: Readonly<Record<string, string>>) =>
  `'{' || ${Object.entries(members)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sql]) => `'"${name}":' || ${sql}`)
    .join(" || ',' || ")} || '}'`;
const number = (sql: string) => `(${sql})::text`;
const truth = (sql: string) => `(${sql})::text`;

/** A reference's hash against a record's, and what opening its text has shown. */
const compared = (field: 'question' | 'answer') => `case
    when n.${field}_hash is null then 'not_given'
    when split_part(n.${field}_hash, ':', 1) = split_part(f.${field}_hash, ':', 1)
      then case when n.${field}_hash = f.${field}_hash then 'same' else 'different' end
    when n.${field}_hash like 'sha256:%' and f.${field}_opened
      then case when f.${field}_equals = n.${field}_hash then 'same' else 'different' end
    else 'not_comparable' end`;

const ABOUT_RECORD = { created_at: time('created_at'), record_status: text('status') };
const SEARCH_END = 'window_end + max_lateness_seconds::bigint * 1000000';
const LATE_BY = 'created_at - occurred_at - max_lateness_seconds::bigint * 1000000';

/**
 * Stores the findings and counts in one statement. $7: application, $8: environment, $9: when the run was decided, $10:
 * number of leaves under an anchored checkpoint, null if the policy requires none.
 */
export function storeFindingsSql(matchOn: MatchField): string {
  return `with ${RUN}, ${NAMED},
    repeated as materialized (
      select reference_id, count(*) as times, array_agg(distinct occurred_at) as occurred_at,
          count(distinct (occurred_at, question_hash, answer_hash)) > 1 as differ
        from answer_evidence.reconciliation_references where workspace_id = $1 and run_id = $2
        group by reference_id having count(*) > 1),
    ${records(matchOn, '$7', '$8')},
    leaves as materialized (
      select l.leaf_index, l.at from answer_evidence.ledger_leaves l
        where l.workspace_id = $1 and l.leaf_index >= $3 and l.leaf_index < $5),
    facts as materialized (
      select s.leaf_index, s.record_id as id, s.status, s.question_opened, s.question_equals, s.answer_opened, s.answer_equals,
          s.named_earlier, c.match_value, c.question_hash, c.answer_hash, l.at as created_at
        from answer_evidence.reconciliation_records s
        join candidates c on c.leaf_index = s.leaf_index
        join leaves l on l.leaf_index = s.leaf_index
        where s.workspace_id = $1 and s.run_id = $2),
    compared as (
      select n.reference_id, n.occurred_at, n.question_hash as referenced_question, n.answer_hash as referenced_answer,
          f.id, f.leaf_index, f.created_at, f.status, f.question_hash, f.answer_hash,
          ${compared('question')} as question, ${compared('answer')} as answer
        from named n join facts f on f.match_value = n.reference_id),
    judged as (
      select c.*, question = 'different' or answer = 'different' as is_different from compared c),
    pairs as materialized (
      select j.*, first_value(id) over own as own_id from judged j
        window own as (partition by reference_id order by is_different, leaf_index)),
    own as materialized (select * from pairs where id = own_id),
    unnamed as materialized (
      select f.* from facts f left join named n on n.reference_id = f.match_value where n.reference_id is null),
    found as (
      select 'missing_service' as type, n.reference_id, null::uuid as answer_log_id,
          ${object({
            occurred_at: time('n.occurred_at'),
            provisional: truth(`$9::bigint < ${SEARCH_END}`),
            reason: `'"no_record"'`,
          })} as detail
        from named n cross join run left join own o on o.reference_id = n.reference_id where o.id is null
      union all
      select 'missing_service', reference_id, id, ${object({
        ...ABOUT_RECORD,
        fields: `'[' || concat_ws(',', case when question = 'different' then '"question"' end,
            case when answer = 'different' then '"answer"' end) || ']'`,
        occurred_at: time('occurred_at'),
        reason: `'"hash_mismatch"'`,
        recorded: object({ answer: text('answer_hash'), question: text('question_hash') }),
        referenced: object({ answer: text('referenced_answer'), question: text('referenced_question') }),
      })} from own where is_different
      union all
      select 'unexpected_service', null, id, ${object({
        ...ABOUT_RECORD,
        match_value: text('match_value'),
        provisional: truth('$9::bigint < window_end'),
      })} from unnamed cross join run where named_earlier is null
      union all
      select 'late_service', reference_id, id, ${object({
        ...ABOUT_RECORD,
        late_by_seconds: number(`(${LATE_BY} + 999999) / 1000000`),
        max_lateness_seconds: number('max_lateness_seconds'),
        occurred_at: time('occurred_at'),
      })} from own cross join run where not is_different and ${LATE_BY} > 0
      union all
      select 'duplicate_reference', reference_id, null, ${object({
        differ: truth('differ'),
        occurred_at: `'[' || (select string_agg(${time('o.at')}, ',' order by o.n) from unnest(occurred_at)
            with ordinality as o (at, n) where o.n <= 10) || ']'`,
        times: number('times'),
      })} from repeated
      union all
      select 'duplicate_service', reference_id, id, ${object({
        ...ABOUT_RECORD,
        answer: text('answer'),
        first_answer_log_id: text('own_id'),
        question: text('question'),
      })} from pairs where id <> own_id
      union all
      select 'unanchored_service', reference_id, id, ${object({
        ...ABOUT_RECORD,
        anchored_tree_size: number('$10::bigint'),
        leaf_index: number('leaf_index'),
      })} from own where not is_different and leaf_index >= $10::bigint),
    stored as (
      insert into answer_evidence.reconciliation_findings
        (workspace_id, run_id, position, type, reference_id, answer_log_id, detail_json)
      select $1, $2, row_number() over (order by array_position(array[${FINDING_TYPES.map((type) => `'${type}'`).join(', ')}], type),
          reference_id collate "C" nulls first, answer_log_id nulls first) - 1, type, reference_id, answer_log_id, detail
        from found returning type)
    select (select count(*) from answer_evidence.reconciliation_references where workspace_id = $1 and run_id = $2) as "references",
        (select coalesce(sum(times - 1), 0)::bigint from repeated) as repeated_references,
        (select count(*) from facts) as records,
        (select count(*) from own where not is_different) as matched,
        (select count(*) from own where not is_different and (question = 'not_comparable' or answer = 'not_comparable'))
          as hashes_not_comparable,
        (select count(*) from own where is_different) as hash_mismatches,
        (select count(*) from unnamed where named_earlier is not null) as named_earlier,
        ${FINDING_TYPES.map((type) => `count(*) filter (where type = '${type}') as ${type}`).join(', ')}
      from stored where $4::bigint is not null and $6::bigint is not null`;
}
