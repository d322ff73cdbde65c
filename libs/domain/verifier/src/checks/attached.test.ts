import type { CheckName, JsonObject, ProofBundle } from '@answer-evidence/contracts';
import { canonicalize, formatHex, utf8 } from '@answer-evidence/encoding';
import { hashCore } from '@answer-evidence/ledger';
import { leafHash } from '@answer-evidence/merkle';
import { describe, expect, it } from '@jest/globals';
import { bundleOf, trustOf } from '../../fixtures/bundles.ts';
import { verifyEd25519 } from '../../fixtures/signer.ts';
import { createWorkedLog } from '../../fixtures/worked-log.ts';
import { verifyBundle } from '../index.ts';

const { ledger, correctedId } = await createWorkedLog();
const ID = '0199f3c2-0000-7000-8000-000000000001';

/** The outcome of one check of the corrected record's bundle, after it was changed. */
async function outcomeOf(check: CheckName, change: (copy: ProofBundle) => void) {
  const copy = structuredClone(bundleOf(ledger, correctedId));
  change(copy);
  const { checks } = await verifyBundle(copy, trustOf(ledger), { verifyEd25519 });
  return checks.find((result) => result.check === check)?.outcome;
}

/** A trace as an attachment whose entry states the hash of `stated`. */
function attach(copy: ProofBundle, core: JsonObject, stated: JsonObject): void {
  const hash = hashCore('trace_attached', stated);
  const { id: subject } = copy.record.core;
  const entry = canonicalize({
    v: 1,
    type: 'trace_attached',
    id: ID,
    subject,
    seq: 0,
    hash,
    at: '2026-01-02T03:04:11.000000Z',
  });
  const leaf = { leaf_index: 5, entry, leaf_hash: formatHex(leafHash(utf8(entry))), proof: copy.record.proof };
  copy.attachments.push({ ...leaf, core });
}

describe('what is bound to a record', () => {
  const core = { id: ID, nonce: '00'.repeat(16), trace_id: 'a'.repeat(32) };

  it('passes trace_refs when an attached trace is the one in its entry, and fails when it is another', async () => {
    expect(await outcomeOf('trace_refs', (copy) => attach(copy, core, core))).toBe('PASS');
    const other = { ...core, trace_id: 'b'.repeat(32) };
    expect(await outcomeOf('trace_refs', (copy) => attach(copy, other, core))).toBe('FAIL');
    expect(await outcomeOf('trace_refs', () => undefined)).toBe('NA');
  });

  it('fails evidence_binding when access events are named whose leaves are not shown', async () => {
    const name = ({ record }: ProofBundle) => void record.core.evidence_access_event_ids.push(ID);
    expect(await outcomeOf('evidence_binding', name)).toBe('FAIL');
  });

  it('skips corrections when the key of a keyed one is not disclosed', async () => {
    const keyed = ({ events }: ProofBundle) => {
      for (const { core: event } of events) {
        if (event.corrected_answer === null) continue;
        event.corrected_answer.hash = `hmac-sha256:${'0'.repeat(64)}`;
        event.corrected_answer.hash_key_id = 'hk_1';
      }
    };
    expect(await outcomeOf('corrections', keyed)).toBe('SKIP');
  });
});
