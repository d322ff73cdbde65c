import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_TYPES, mapLabels } from '@answer-evidence/contracts';
import { canonicalize, formatHex } from '@answer-evidence/encoding';
import { type AnyTable, type EventRow, EVENTS, type RecordRow, RECORDS, TABLES } from '@answer-evidence/tables';
import { createEventRow, createRecordRow, idOf } from '../fixtures/rows.ts';
import { coreOf, describeCore, formatCore } from './stored-cores.ts';

const NASTY = ['"', '\\', '\u0000', '\n', '\u2028', '\u{1F600}', '\u007f', 'é', 'e\u0301', '</script>', '\ufeff', '{}'];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => value.isWellFormed()),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 12 }).map((parts) => parts.join('')),
);
const optional = fc.option(text);
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `sha256:${formatHex(bytes)}`);
/** The place in the log, and what the idempotency key was used for. */
const BESIDE_THE_CORE = new Set(['leaf_index', 'key_claim']);
const state = fc.constantFrom('stored', 'discarded', 'not_submitted');

const rows: fc.Arbitrary<RecordRow> = fc.record({
  leaf_index: fc.nat(),
  key_claim: fc.option(fc.uint8Array()),
  id: fc.uuid(),
  nonce: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  application_key: text,
  environment: text,
  idempotency_key: optional,
  question_hash: hash,
  question_hash_key_id: optional,
  question_text_state: state,
  answer_hash: hash.map((value) => `hmac-${value}`),
  answer_hash_key_id: optional,
  answer_text_state: state,
  semantic_refs_json: fc.array(hash, { maxLength: 4 }).map(canonicalize),
  source_refs_json: fc.array(fc.record({ hash, source_ref_id: fc.uuid() }), { maxLength: 4 }).map(canonicalize),
  evidence_access_event_ids_json: fc.array(fc.uuid(), { maxLength: 3 }).map(canonicalize),
  ...mapLabels(() => optional),
  retention_until: fc.integer({ min: 0, max: 8_000_000_000_000_000 }),
  created_by_json: fc
    .record({
      kind: fc.constantFrom('application', 'user', 'service'),
      // JSON with an escaped NUL is refused wherever it comes in.
      id: text.filter((value) => !value.includes('\0')),
      token_id: fc.option(fc.uuid()),
    })
    .map(canonicalize),
  settings_version: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});

describe('the core of a record', () => {
  it('has one text, whether it is written from the row or from the object', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(formatCore(RECORDS, row)).toBe(canonicalize(coreOf(RECORDS, row)));
      }),
      { numRuns: 300 },
    );
  });

  it('changes with every column but the place in the log and the claim of the key', () => {
    const row: RecordRow = { ...createRecordRow(idOf(1)), leaf_index: 3, key_claim: null };
    const other: RecordRow = {
      leaf_index: 4,
      key_claim: new Uint8Array(49),
      id: idOf(2),
      nonce: new Uint8Array(16).fill(1),
      application_key: 'x',
      environment: 'x',
      idempotency_key: 'x',
      question_hash: `sha256:${'1'.repeat(64)}`,
      question_hash_key_id: 'x',
      question_text_state: 'stored',
      answer_hash: `sha256:${'1'.repeat(64)}`,
      answer_hash_key_id: 'x',
      answer_text_state: 'stored',
      semantic_refs_json: `["sha256:${'1'.repeat(64)}"]`,
      source_refs_json: `[{"hash":"sha256:${'1'.repeat(64)}","source_ref_id":"x"}]`,
      evidence_access_event_ids_json: `["${idOf(3)}"]`,
      ...mapLabels(() => 'x'),
      retention_until: 1,
      created_by_json: '{"id":"x","kind":"user","token_id":null}',
      settings_version: 2,
    };
    for (const column of Object.keys(row)) {
      const altered = { ...row, [column]: other[column as keyof RecordRow] };
      expect([column, formatCore(RECORDS, altered) === formatCore(RECORDS, row)]).toEqual([
        column,
        BESIDE_THE_CORE.has(column),
      ]);
    }
  });

  it('of a column that is no JSON is described and refused, never repaired', () => {
    const row: RecordRow = { ...createRecordRow(idOf(1)), leaf_index: 0, key_claim: null, semantic_refs_json: '[' };
    expect(describeCore(RECORDS, row).semantic_refs).toBe('[');
    expect(() => coreOf(RECORDS, row)).toThrow();
  });
});

describe('the catalogue', () => {
  const cores = Object.values<AnyTable>(TABLES).filter(({ core }) => core !== undefined);
  const values = {
    uuid: [idOf(1), idOf(2)],
    text: ['"a"', '"b"'],
    bytea: [new Uint8Array(16), new Uint8Array(16).fill(1)],
    bigint: [1, 2],
    integer: [1, 2],
    boolean: [false, true],
  } as const;

  it.each(cores.map((table) => [table.name, table] as const))('commits to every column of %s', (_, table) => {
    const rowOf = (altered?: string) =>
      Object.fromEntries(
        table.columns.map((name) => [name, values[table.types[name]!.type][name === altered ? 1 : 0]]),
      );
    for (const column of table.columns) {
      const same = formatCore(table, rowOf(column)) === formatCore(table, rowOf());
      expect([column, same]).toEqual([column, BESIDE_THE_CORE.has(column)]);
    }
    expect(canonicalize(describeCore(table, rowOf()))).toBe(formatCore(table, rowOf()));
  });
});

describe('the core of an event', () => {
  it('is read from its row, column by column', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENT_TYPES),
        optional,
        fc.option(hash),
        fc.option(hash),
        hash,
        fc.integer({ min: 1, max: 1000 }),
        (type, key, reason, rest, prev, sequence) => {
          const row: EventRow = {
            ...createEventRow(idOf(2), idOf(1), type),
            idempotency_key: key,
            reason_hash: reason,
            payload_rest_hash: rest,
            payload_json: '{"redact_semantic_refs":true}',
            prev_event_hash: prev,
            sequence,
          };
          expect(coreOf(EVENTS, row)).toEqual({
            id: idOf(2),
            nonce: '0'.repeat(32),
            answer_log_id: idOf(1),
            sequence,
            event_type: type,
            actor: { kind: 'application', id: 'support-bot', token_id: null },
            prev_event_hash: prev,
            idempotency_key: key,
            settings_version: 1,
            reason_hash: reason,
            payload: { redact_semantic_refs: true },
            payload_rest_hash: rest,
            corrected_answer: null,
          });
          expect(() => coreOf(EVENTS, { ...row, payload_json: '{"other":1}' })).toThrow();
        },
      ),
    );
  });
});
