import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mapLabels } from '@answer-evidence/contracts';
import { VaultError } from '@answer-evidence/ports';
import { createTestVault } from '@answer-evidence/testing';
import { type AcceptedItem, formatBatch, openItems, packItem } from './accepted-item.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const vault = createTestVault(ID);
const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'));
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const bytes = fc.uint8Array({ maxLength: 200 });
const micros = fc.nat();
const claim = fc.record({ hash: text, hashKeyId: orNull(text), text: orNull(text), salt: orNull(text) });
const textState = fc.constantFrom('stored' as const, 'discarded' as const, 'not_submitted' as const);
const row = fc.record({
  id: fc.constant(ID),
  nonce: bytes,
  application_key: text,
  environment: text,
  idempotency_key: orNull(text),
  question_hash: text,
  question_hash_key_id: orNull(text),
  question_text_state: textState,
  answer_hash: text,
  answer_hash_key_id: orNull(text),
  answer_text_state: textState,
  semantic_refs_json: text,
  source_refs_json: text,
  evidence_access_event_ids_json: text,
  ...mapLabels(() => orNull(text)),
  retention_until: micros,
  created_by_json: text,
  settings_version: fc.nat(),
});
const sealed = fc.record({
  object_id: fc.constant(ID),
  wrapped_key: bytes,
  texts: orNull(bytes),
  items: orNull(bytes),
  due_at: micros,
});
const ready = fc.record({ kind: fc.constant('ready' as const), row, hash: bytes, sealed: orNull(sealed) });
const items: fc.Arbitrary<AcceptedItem[]> = fc.array(
  fc.record({
    applicationKey: text,
    environment: text,
    idempotencyKey: text,
    signal: fc.constantFrom('span' as const, 'log' as const),
    traceId: orNull(text),
    spanId: orNull(text),
    startedAt: orNull(micros),
    actorJson: text,
    fingerprint: bytes,
    call: orNull(bytes),
    record: orNull(fc.record({ mac: bytes, ready })),
    claims: fc.record({ question: orNull(claim), answer: orNull(claim) }),
  }),
  { maxLength: 4 },
);

describe('a batch of accepted items', () => {
  it('opens as what was sealed, each with its own bytes', () => {
    fc.assert(
      fc.property(items, (sent) => {
        const key = vault.createObjectKey(ID);
        expect(openItems(key, key.seal('items', formatBatch(sent.map(packItem))))).toEqual(sent);
      }),
    );
  });

  it('does not open with any byte changed', () => {
    fc.assert(
      fc.property(items, fc.nat(), fc.integer({ min: 1, max: 255 }), (sent, place, flip) => {
        const key = vault.createObjectKey(ID);
        const altered = key.seal('items', formatBatch(sent.map(packItem)));
        const at = place % altered.length;
        altered[at] = (altered[at] ?? 0) ^ flip;
        expect(() => openItems(key, altered)).toThrow(VaultError);
      }),
    );
  });
});
