import type { CheckName, JsonObject, ProofBundle } from '@answer-evidence/contracts';
import { canonicalize, parseJsonText } from '@answer-evidence/encoding';
import { hashCore } from '@answer-evidence/ledger';
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

/** Gives the first attached trace another core, and its entry the hash of `stated`. */
function restate(copy: ProofBundle, core: JsonObject, stated: JsonObject = core): void {
  const [trace] = copy.attachments;
  if (trace === undefined) throw new Error('the fixture has an attached trace');
  const entry = canonicalize({ ...parseEntryText(trace.entry), hash: hashCore('trace_attached', stated) });
  copy.attachments[0] = { ...trace, entry, core };
}

function parseEntryText(entry: string): JsonObject {
  return parseJsonText(entry) as JsonObject;
}

describe('what is bound to a record', () => {
  it('passes trace_refs when attached traces are those in their entries, and does not apply without one', async () => {
    expect(await outcomeOf('trace_refs', () => undefined)).toBe('PASS');
    expect(await outcomeOf('trace_refs', (copy) => void copy.attachments.splice(0))).toBe('NA');
  });

  it.each<[string, (core: JsonObject) => JsonObject]>([
    ['is of another record', (core) => ({ ...core, answer_log_id: ID })],
    ['has a trace id of another form', (core) => ({ ...core, trace_id: 'A'.repeat(32) })],
    ['has members of its own', (core) => ({ ...core, url: 'https://traces.example' })],
  ])('fails trace_refs when a core %s, also where the entry states its hash', async (_, alter) => {
    const restated = (copy: ProofBundle) => restate(copy, alter(copy.attachments[0]?.core ?? {}));
    expect(await outcomeOf('trace_refs', restated)).toBe('FAIL');
  });

  it('fails trace_refs when a trace is another than the one in its entry, or is attached twice', async () => {
    const otherwise = (copy: ProofBundle) => {
      const { core } = copy.attachments[0] ?? { core: {} };
      restate(copy, { ...core, trace_id: 'b'.repeat(32) }, core);
    };
    expect(await outcomeOf('trace_refs', otherwise)).toBe('FAIL');
    const [doubled] = bundleOf(ledger, correctedId).attachments;
    const twice = (copy: ProofBundle) => void copy.attachments.push(...(doubled === undefined ? [] : [doubled]));
    expect(await outcomeOf('trace_refs', twice)).toBe('FAIL');
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
