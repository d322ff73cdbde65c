import { describe, expect, it } from '@jest/globals';
import { formatEntry, hashCore, hashCoreText } from '@answer-evidence/commitments';
import type { CheckName, JsonObject, ProofBundle } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import { bundleOf, checkpointOf, proven, trustOf } from '../../fixtures/bundles.ts';
import { START } from '../../fixtures/constants.ts';
import { MemoryLedger } from '../../fixtures/memory-ledger.ts';
import { verifySignature } from '../../fixtures/signer.ts';
import { createWorkedLog } from '../../fixtures/worked-log.ts';
import { verifyBundle } from '../index.ts';

const { ledger, correctedId } = await createWorkedLog();
const ID = '0199f3c2-0000-7000-8000-000000000001';

/** The outcome of one check of the corrected record's bundle, after it was changed. */
async function outcomeOf(check: CheckName, change: (copy: ProofBundle) => void) {
  const copy = structuredClone(bundleOf(ledger, correctedId));
  change(copy);
  const { checks } = await verifyBundle(copy, trustOf(ledger), { verifySignature });
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

/**
 * The outcomes of a record that the log itself says has expired then; `core` and `at` are put in the place of the true
 * ones.
 */
async function expired(retainedUntil: number, core?: (of: JsonObject) => JsonObject, at?: number) {
  const own = await MemoryLedger.open();
  const id = await own.record({ question: { text: 'How long?' }, retentionUntil: START + 2_000_000 });
  await own.event(id, {
    type: 'retention_extended',
    known: { retain_until: formatTimestamp(START + 4_500_000) },
  });
  await own.expire(id, retainedUntil);
  const leaf = own.tables.ledger_leaves.at(-1);
  const copy = structuredClone(bundleOf(own, id));
  const [attachment] = copy.attachments;
  if (attachment === undefined || leaf === undefined) throw new Error('the fixture has expired');
  if (core !== undefined) {
    attachment.core = core(attachment.core);
    // As a service would that writes such a core: the log and its proofs are true to it.
    Object.assign(leaf, { hash: hashCoreText('text_expired', canonicalize(attachment.core)), at: at ?? leaf.at });
    Object.assign(leaf, { leaf_hash: leafHash(formatEntry(leaf)) });
    copy.checkpoint = checkpointOf(own);
    Object.assign(copy.record, proven(own, id));
    for (const event of copy.events) Object.assign(event, proven(own, event.core.id));
    Object.assign(attachment, proven(own, leaf.id));
  }
  const { checks } = await verifyBundle(copy, trustOf(own), { verifySignature });
  const wrong = checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check, detail }) => `${check}: ${detail}`);
  return { wrong, question: checks.find(({ check }) => check === 'question_commitment')?.outcome };
}

describe('an expiry in the log', () => {
  const end = START + 4_500_000;

  it('explains why a text is gone when its retention, with its extensions, had passed', async () => {
    expect(await expired(end)).toEqual({ wrong: [], question: 'NA' });
    const same = await expired(end, (core) => ({ ...core }));
    expect(same).toEqual({ wrong: [], question: 'NA' });
  });

  it.each<[string, number, ((core: JsonObject) => JsonObject) | undefined, string]>([
    ['that forgets an extension', START + 2_000_000, undefined, 'the retention that had ended'],
    ['of another time', end - 1, undefined, 'the retention that had ended'],
    ['of another record', end, (core) => ({ ...core, answer_log_id: ID }), 'the record that attachment 1 names'],
    ['that says nothing', end, ({ id, nonce }) => ({ id: id ?? null, nonce: nonce ?? null }), 'does not have its form'],
    ['with more than it may say', end, (core) => ({ ...core, why: 'asked to' }), 'does not have its form'],
  ])('fails leaf_entry %s', async (_, retainedUntil, core, words) => {
    const { wrong } = await expired(retainedUntil, core);
    expect(wrong).toEqual([expect.stringMatching(new RegExp(`^leaf_entry: .*${words}`))]);
  });

  it('fails leaf_entry that stands in the log before the retention had passed', async () => {
    const { wrong } = await expired(end, (core) => core, end - 1);
    expect(wrong).toEqual(['leaf_entry: attachment 1 is in the log before its retention ended']);
  });
});

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

  it('fails trace_refs when the entry of an attachment cannot be read, since it may be that of a trace', async () => {
    const spoil = ({ attachments }: ProofBundle) => Object.assign(attachments[0] ?? {}, { entry: '{}' });
    expect(await outcomeOf('trace_refs', spoil)).toBe('FAIL');
  });

  it('fails evidence_binding when access events are named whose leaves are not shown', async () => {
    const name = ({ record }: ProofBundle) => void record.core.evidence_access_event_ids.push(ID);
    expect(await outcomeOf('evidence_binding', name)).toBe('FAIL');
  });

  it('fails corrections when the key of a keyed one is not disclosed', async () => {
    const keyed = ({ events }: ProofBundle) => {
      for (const { core: event } of events) {
        if (event.corrected_answer === null) continue;
        event.corrected_answer.hash = `hmac-sha256:${'0'.repeat(64)}`;
        event.corrected_answer.hash_key_id = 'hk_1';
      }
    };
    expect(await outcomeOf('corrections', keyed)).toBe('FAIL');
  });
});
