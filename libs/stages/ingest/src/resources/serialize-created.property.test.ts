import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecordRequest, type JsonObject } from '@answer-evidence/contracts';
import { canonicalize, parseJsonText } from '@answer-evidence/encoding';
import { checkFields, commitmentKey, createHashKeys, prepareRecord } from '@answer-evidence/preparation';
import { openIngest, openKeyedIngest } from '../fixtures/ingest.ts';
import { createQuotedReceipts } from './receipts.ts';
import { serializeCreated } from './serialize-created.ts';
import { toRecordResource } from './to-record-resource.ts';

const quotedReceipts = createQuotedReceipts();

const NASTY = [
  '"',
  '\\',
  '\u2028',
  '\u2029',
  '\u0001',
  '\u007f',
  '</script>',
  '😀',
  'é',
  "'",
  '\n',
  '\t',
  '{}',
  ',"a":1',
];
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map((deps) => deps.join('')),
);
/** Without control characters, as keys and ids must be. */
const key = text.map((value) => `k${value.replace(/\p{Cc}/gu, '')}`);
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '1', '', 'source_ref_id '));
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
const item = fc
  .array(fc.tuple(name, fc.oneof(text, number, fc.constant({}))), {
    maxLength: 3,
  })
  .map((entries) => {
    const object: JsonObject = {};
    for (const [property, value] of entries)
      Object.defineProperty(object, property, { value, enumerable: true, configurable: true, writable: true });
    return object;
  });
const SHOWN = { texts: 'shown', vouchedBy: null } as const;
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const request = fc
  .record({
    application_key: key,
    environment: optional(key),
    question: fc.record({ text }),
    answer: fc.record({ text }),
    semantic_refs: optional(fc.array(item, { maxLength: 3 })),
    source_refs: optional(fc.array(item, { maxLength: 3 })),
    external_trace_id: optional(key),
    external_message_id: optional(key),
    mode: optional(key),
    actor_id_hash: optional(key),
    session_id_hash: optional(key),
  })
  .map((drawn) => {
    const [first, ...others] = drawn.source_refs ?? [];
    const refs = first === undefined ? drawn.source_refs : [{ ...first, source_ref_id: 'a.b:c-d_e' }, ...others];
    const sent = Object.entries({ ...drawn, source_refs: refs }).filter(([, value]) => value !== undefined);
    return createRecordRequest.parse(Object.fromEntries(sent));
  });

const PLACES = [
  ['texts kept', () => openIngest()],
  [
    'no text kept',
    () => openIngest({ answer_audit_store_answer_text: false, answer_audit_store_question_text: false }),
  ],
  ['keyed commitments', openKeyedIngest],
] as const;

describe.each(PLACES)('serializeCreated, %s', (_, open) => {
  it('says of every record what toRecordResource says of it once it is stored', async () => {
    const stage = await open();
    const { manager, workspace } = stage;
    const hashKeys = createHashKeys(stage.administration);
    let keys = 0;
    await fc.assert(
      fc.asyncProperty(request, optional(key), async (body, wanted) => {
        const fields = checkFields(body);
        const submission = {
          request: body,
          fields,
          actorJson: canonicalize({ kind: 'user', id: manager.userId, token_id: manager.tokenId }),
          idempotencyKey: wanted === undefined ? null : `${wanted} ${keys++}`,
        };
        const settings = await stage.readFreshSettings(workspace.id);
        const hashKey = await commitmentKey(hashKeys, workspace, settings);
        const outcome = await stage.ledger.append(workspace.id, () =>
          prepareRecord(stage, workspace, settings, hashKey, submission),
        );
        if (outcome.kind !== 'appended') throw new Error('the create was not appended');
        const { command } = outcome;
        const [entry] = outcome.entries;
        const stored = await stage.records.find(workspace.id, command.record.row.id);
        if (stored === undefined) throw new Error('the record is stored');
        const created = serializeCreated(workspace, command, fields, entry, quotedReceipts(entry, outcome.checkpoint));
        const { receipt } = JSON.parse(created) as { receipt: string };
        const read = toRecordResource(workspace, stored, SHOWN, receipt, 30, []);
        expect(canonicalize(parseJsonText(created))).toBe(canonicalize(read));
      }),
      { numRuns: 60 },
    );
  });
});
