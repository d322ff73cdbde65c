import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitPlain, formatEntry } from '@answer-evidence/commitments';
import {
  type AnswerRecord,
  type CreateRecordRequest,
  labelsOf,
  RECORD_LABELS,
  type TextOrHash,
} from '@answer-evidence/contracts';
import { ID } from '../../fixtures/scripted-client.ts';
import { compareAppended, compareCreated, compareNamed, compareRecords, compareResults } from './compare-record.ts';

const OTHER = ID.replace(/1$/, '2');
const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'aa'.repeat(32)}`;
const KEYED = `hmac-sha256:${'bb'.repeat(32)}`;
const entryOf = (type: 'answer_recorded' | 'lifecycle_event') =>
  formatEntry({ type, id: ID, subject: ID, seq: 0, hash: new Uint8Array(32).fill(0xaa), at: 0 });
const LEDGER = { origin: 'log.example/demo/0', leaf_index: 1, leaf_hash: 'b'.repeat(64) };

const committed = ({ text, hash }: TextOrHash) => ({
  hash: hash ?? commitPlain(text ?? ''),
  hash_key_id: null,
  text: text ?? null,
  text_state: 'stored' as const,
});

/** The record that the service makes of a request. */
function made(sent: CreateRecordRequest): AnswerRecord {
  return {
    id: ID,
    application_key: sent.application_key,
    environment: sent.environment ?? 'production',
    idempotency_key: sent.idempotency_key ?? null,
    status: 'recorded',
    semantic_refs: sent.semantic_refs ?? [],
    source_refs: (sent.source_refs ?? []).map((ref, n) => ({ source_ref_id: `s-${n}`, ...ref })),
    evidence_access_event_ids: (sent.evidence_access_event_ids ?? []).map((id) => id.toLowerCase()),
    ...labelsOf(sent),
    retention_until: AT,
    created_at: AT,
    created_by: { kind: 'application', id: 'support-bot', token_id: ID },
    trace_refs: [],
    record_hash: HASH,
    question: committed(sent.question),
    answer: committed(sent.answer),
    erasure: null,
    evidence_links: [],
    ledger: { ...LEDGER, entry: entryOf('answer_recorded') },
    receipt: '',
    events: [],
  };
}

const sent: CreateRecordRequest = {
  application_key: 'bot',
  idempotency_key: 'k',
  question: { text: 'q' },
  answer: { text: 'a' },
  source_refs: [{ source_name: 'x', n: 1.5 }],
  semantic_refs: [{ type: 'import' }],
  evidence_access_event_ids: [OTHER.toUpperCase()],
  mode: 'chat',
};

describe('a created record', () => {
  it('is compared with the request: it agrees with its own, and with none that differs in any member', () => {
    const text = fc.string({ minLength: 1 });
    const requests = fc.record(
      {
        application_key: text,
        environment: text,
        idempotency_key: text,
        question: fc.record({ text }),
        answer: fc.record({ text }),
        ...Object.fromEntries(RECORD_LABELS.map((label) => [label, text])),
      },
      { requiredKeys: ['application_key', 'question', 'answer'] },
    ) as unknown as fc.Arbitrary<CreateRecordRequest>;
    fc.assert(
      fc.property(requests, requests, (one, another) => {
        expect(compareCreated(one, made(one))).toEqual([]);
        const isSame = JSON.stringify(made(one)) === JSON.stringify(made(another));
        expect(compareCreated(one, made(another)).length === 0).toBe(isSame);
      }),
    );
  });

  it.each<[string, Partial<AnswerRecord>, string[]]>([
    ['key', { idempotency_key: 'other' }, ['/idempotency_key']],
    ['application', { application_key: 'other' }, ['/application_key']],
    ['environment', { environment: 'other' }, ['/environment']],
    ['label', { mode: null }, ['/mode']],
    ['source', { source_refs: [{ source_ref_id: 's', source_name: 'y' }] }, ['/source_refs/0']],
    ['number of refs', { semantic_refs: [{}, {}] }, ['/semantic_refs']],
    ['access', { evidence_access_event_ids: [ID] }, ['/evidence_access_event_ids']],
    ['text', { answer: committed({ text: 'b' }) }, ['/answer/hash', '/answer/text']],
    ['hash', { answer: { ...committed({ text: 'a' }), hash: HASH } }, ['/answer/hash']],
    ['key of a plain hash', { answer: { ...committed({ text: 'a' }), hash_key_id: 'h' } }, ['/answer/hash_key_id']],
    ['entry', { id: OTHER }, ['/ledger/entry']],
  ])('is not one with another %s', (_, change, differences) => {
    expect(compareCreated(sent, { ...made(sent), ...change })).toEqual(differences);
  });

  it('may be committed to by key, with its id, where a text was sent; a hash that was sent stays as it is', () => {
    const keyed = { ...committed({ text: 'a' }), hash: KEYED, hash_key_id: 'h-1' };
    const record = { ...made(sent), answer: keyed };
    expect(compareCreated(sent, record)).toEqual([]);
    expect(compareCreated(sent, { ...record, answer: { ...keyed, hash_key_id: null } })).toEqual([
      '/answer/hash_key_id',
    ]);
    expect(compareCreated(sent, { ...record, answer: { ...keyed, text: 'b' } })).toEqual(['/answer/text']);
    const hashed = { ...sent, answer: { hash: HASH.toUpperCase().replace('SHA256', 'sha256') } };
    expect(compareCreated(hashed, { ...record, answer: { ...keyed, text: null } })).toEqual(['/answer/hash']);
    const shown = { ...committed({ hash: HASH }), text_state: 'not_submitted' as const };
    expect(compareCreated(hashed, { ...record, answer: shown })).toEqual([]);
  });

  it('may have lost since then what was erased', () => {
    const tombstone = { event_id: ID, reason_code: null, redacted_at: AT };
    const gone = (name: 'question' | 'answer') => ({
      ...committed(sent[name]),
      text: null,
      text_state: 'redacted' as const,
    });
    const erased = { source_refs: [{ source_ref_id: 's', tombstone }], semantic_refs: [] };
    const record = { ...made(sent), ...erased, question: gone('question'), answer: gone('answer') };
    expect(compareCreated(sent, record)).toEqual([]);
    expect(compareCreated(sent, { ...record, source_refs: [{ source_ref_id: 's' }] })).toEqual([]);
  });

  it('is compared with what JSON makes of a request', () => {
    const loose = { ...sent, source_refs: [{ source_name: 'x', none: undefined, zero: -0 }] } as object;
    const record = made({ ...sent, source_refs: [{ source_name: 'x', zero: 0 }] });
    expect(compareCreated(loose as CreateRecordRequest, record)).toEqual([]);
  });
});

describe('a record that was asked for', () => {
  it('has the id, in either case', () => {
    expect(compareNamed(ID.toUpperCase(), made(sent))).toEqual([]);
    expect(compareNamed(OTHER, made(sent))).toEqual(['/id']);
  });

  it('has the values and the times that a list was asked for', () => {
    const page = { items: [made(sent)] };
    expect(compareRecords({ application_key: 'bot', status: 'recorded', created_after: AT }, page)).toEqual([]);
    expect(compareRecords({ application_key: 'other', status: 'voided' }, page)).toEqual([
      '/items/0/application_key',
      '/items/0/status',
    ]);
    expect(compareRecords({ created_before: '2026-11-20T09:59:00+01:00' }, page)).toEqual(['/items/0/created_at']);
  });

  it('comes in a list after those that are newer, also those of the page before', () => {
    const at = (leaf: number) => ({ ...made(sent), ledger: { ...made(sent).ledger, leaf_index: leaf } });
    expect(compareRecords({}, { items: [at(4), at(2)] }, 5)).toEqual([]);
    expect(compareRecords({}, { items: [at(2), at(4)] }, 5)).toEqual(['/items/1/ledger/leaf_index']);
    expect(compareRecords({}, { items: [at(4)] }, 4)).toEqual(['/items/0/ledger/leaf_index']);
  });

  it('has the receipt of its own place in its log', () => {
    const note = (origin: string) => `${origin}\n1\n${'A'.repeat(43)}=\n\n— ${origin} ${'A'.repeat(92)}\n`;
    const receipt = (index: number, origin = LEDGER.origin) =>
      `c2sp.org/tlog-proof@v1\nindex ${index}\n\n${note(origin)}`;
    const shown = (text: string) => compareCreated(sent, { ...made(sent), receipt: text });
    expect(shown(receipt(1))).toEqual([]);
    expect(shown(receipt(2))).toEqual(['/receipt']);
    expect(shown(receipt(1, 'log.example/other/0'))).toEqual(['/receipt']);
  });
});

describe('an appended event', () => {
  const event = {
    id: ID,
    answer_log_id: ID,
    sequence: 1,
    event_type: 'correction_appended' as const,
    reason: 'wrong',
    payload: {},
    corrected_answer: { ...committed({ text: 'b' }), origin: 'service' as const },
    idempotency_key: 'e-1',
    actor: { kind: 'user' as const, id: ID, token_id: ID },
    created_at: AT,
    prev_event_hash: HASH,
    event_hash: HASH,
    erasure: null,
    redacted_evidence: [],
    ledger: { ...LEDGER, entry: entryOf('lifecycle_event') },
  };
  const body = {
    event_type: 'correction_appended' as const,
    reason: 'wrong',
    payload: { corrected_answer_text: 'b' },
  };
  const after = (change: object) => ({ ...made(sent), events: [{ ...event, ...change }] });

  it.each([
    [{}, []],
    [{ idempotency_key: 'e-2' }, ['/events']],
    [{ event_type: 'voided' }, ['/events/0/event_type']],
    [{ reason: 'right' }, ['/events/0/reason']],
    [
      { corrected_answer: { ...event.corrected_answer, ...committed({ text: 'c' }) } },
      expect.arrayContaining(['/events/0/corrected_answer/hash']),
    ],
    [{ answer_log_id: OTHER }, ['/events/0/answer_log_id']],
    [{ id: OTHER }, ['/events/0/ledger/entry']],
  ])('with %j differs at %j', (change, differences) => {
    expect(compareAppended(ID, body, 'e-1', after(change))).toEqual(differences);
  });
});

describe('results of many', () => {
  const many = ['1', '2'].map((idempotency_key) => ({ ...sent, idempotency_key }));
  const result = (n: number, key: string) => ({
    outcome: 'created' as const,
    id: n === 1 ? ID : OTHER,
    leaf_index: n,
    record_hash: HASH,
    application_key: 'bot',
    idempotency_key: key,
    question: { hash: commitPlain('q'), hash_key_id: null },
    answer: { hash: commitPlain('a'), hash_key_id: null },
  });

  it('are each about their own request', () => {
    expect(compareResults(many, [result(1, '1'), result(2, '2')])).toEqual([]);
    expect(compareResults(many, [result(2, '2'), result(1, '1')])).toEqual([
      '/results/0/idempotency_key',
      '/results/1/idempotency_key',
    ]);
  });

  it('name no record twice, also where an older service does not say whose they are', () => {
    const old = (id: string) => ({ outcome: 'replayed' as const, id });
    expect(compareResults(many, [old(ID), old(OTHER)])).toEqual([]);
    expect(compareResults(many, [old(ID), old(ID)])).toEqual(['/results/1/id']);
    expect(compareResults([many[0] ?? sent, many[0] ?? sent], [old(ID), old(ID)])).toEqual([]);
  });
});
