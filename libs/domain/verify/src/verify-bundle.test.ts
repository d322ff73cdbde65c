import { describe, expect, it } from '@jest/globals';
import {
  type CheckName,
  CHECKS,
  type Outcome,
  type ProofBundle,
  type ReconciliationFinding,
  type TrustFile,
} from '@answer-evidence/contracts';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import { bundleOf, checkpointOf, consistencyOf, logViewOf, receiptOf, rootOf, trustOf } from '../fixtures/bundles.ts';
import { createMisnamedLog } from '../fixtures/misnamed-log.ts';
import { createFixtureSigner, verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { BundleFormatError, verifyBundle, type VerifyOptions } from './index.ts';

const log = await createWorkedLog();
const { ledger } = log;
const trust = trustOf(ledger);

async function outcomes(bundle: unknown, options: Partial<VerifyOptions> = {}, pins: TrustFile = trust) {
  const { checks } = await verifyBundle(bundle, pins, { verifySignature, ...options });
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])) as Record<CheckName, Outcome>;
}

async function detailOf(check: CheckName, bundle: unknown, options: Partial<VerifyOptions> = {}) {
  const { checks } = await verifyBundle(bundle, trust, { verifySignature, ...options });
  return checks.find((result) => result.check === check)?.detail;
}

function altered(bundle: ProofBundle, alter: (copy: ProofBundle) => void): ProofBundle {
  const copy = structuredClone(bundle);
  alter(copy);
  return copy;
}

describe('a good bundle', () => {
  it('has every check once, in order, each with what it does not prove', async () => {
    const { checks } = await verifyBundle(bundleOf(ledger, log.correctedId), trust, { verifySignature });
    expect(checks.map(({ check }) => check)).toEqual(CHECKS);
    expect(checks.every((check) => check.does_not_prove.length > 20 && check.detail.length > 10)).toBe(true);
  });

  it('passes what can be re-computed offline, and skips only what needs the log', async () => {
    expect(await outcomes(bundleOf(ledger, log.correctedId))).toEqual({
      question_commitment: 'PASS',
      answer_commitment: 'PASS',
      corrections: 'PASS',
      source_refs: 'PASS',
      semantic_refs: 'PASS',
      trace_refs: 'PASS',
      record_hash: 'PASS',
      event_chain: 'PASS',
      event_completeness: 'SKIP',
      status_derivation: 'PASS',
      leaf_entry: 'PASS',
      log_order: 'SKIP',
      merkle_inclusion: 'PASS',
      checkpoint_signature: 'PASS',
      checkpoint_consistency: 'NA',
      receipt: 'NA',
      evidence_binding: 'NA',
      reconciliation: 'NA',
      witness_cosignatures: 'NA',
      external_anchor: 'NA',
      anchored: 'NA',
    });
  });

  it('says which tree and which pins it speaks of', async () => {
    const result = await verifyBundle(bundleOf(ledger, log.correctedId), trust, { verifySignature });
    const size = ledger.tables.ledger_leaves.length;
    expect(result.pins).toEqual([ledger.names.vkey]);
    expect(result.checkpoint).toMatchObject({ origin: ledger.names.origin, tree_size: size });
    expect(result.status_as_of?.tree_size).toBe(size);
    expect(result.anchoring).toBe('NOT_ANCHORED');
    expect(result.answer_log_id).toBe(log.correctedId);
  });

  it('with only a hash submitted has no text to compare, and the core says so', async () => {
    const result = await outcomes(bundleOf(ledger, log.plainId));
    expect(result).toMatchObject({ question_commitment: 'PASS', answer_commitment: 'NA', event_chain: 'NA' });
  });

  it('fails when it shows a keyed text and withholds its key', async () => {
    expect(await outcomes(bundleOf(ledger, log.keyedId))).toMatchObject({
      question_commitment: 'PASS',
      answer_commitment: 'NA',
    });
    expect(await outcomes(bundleOf(ledger, log.keyedId, false))).toMatchObject({ question_commitment: 'FAIL' });
  });

  it('of a redacted record has tombstones that its event explains, and still proves', async () => {
    const bundle = bundleOf(ledger, log.redactedId);
    expect(await outcomes(bundle)).toMatchObject({
      question_commitment: 'NA',
      answer_commitment: 'NA',
      corrections: 'NA',
      source_refs: 'PASS',
      semantic_refs: 'NA',
      record_hash: 'PASS',
      event_chain: 'PASS',
      status_derivation: 'PASS',
      merkle_inclusion: 'PASS',
    });
  });
});

describe('what is missing or still there', () => {
  it('fails when a stored text is gone and no leaf says why', async () => {
    const bundle = altered(bundleOf(ledger, log.correctedId), ({ record }) => (record.disclosed.answer = null));
    expect(await outcomes(bundle)).toMatchObject({ answer_commitment: 'FAIL', question_commitment: 'PASS' });
  });

  it('fails when an item or a corrected text is gone and no leaf says why', async () => {
    const bundle = altered(bundleOf(ledger, log.correctedId), ({ record, events }) => {
      record.disclosed.source_refs[1] = null;
      record.disclosed.semantic_refs[0] = null;
      for (const event of events) event.disclosed.corrected_text = null;
    });
    expect(await outcomes(bundle)).toMatchObject({ source_refs: 'FAIL', semantic_refs: 'FAIL', corrections: 'FAIL' });
  });

  it('fails when another source reference than the one that was redacted is gone', async () => {
    const bundle = altered(bundleOf(ledger, log.redactedId), ({ record }) => (record.disclosed.source_refs[1] = null));
    expect(await outcomes(bundle)).toMatchObject({ source_refs: 'FAIL' });
  });

  it('fails when a reason is gone and no leaf says why', async () => {
    const bundle = altered(bundleOf(ledger, log.correctedId), ({ events }) => {
      for (const event of events) event.disclosed.reason = null;
    });
    expect(await outcomes(bundle)).toMatchObject({ event_chain: 'FAIL' });
  });

  it('passes when a later redaction names the event whose reason and payload are gone, and no other may be', async () => {
    const bundle = bundleOf(ledger, log.erasedId);
    expect(bundle.events.map(({ disclosed }) => [disclosed.reason?.item, disclosed.payload_rest])).toEqual([
      [undefined, null],
      [undefined, null],
      ['by order', null],
    ]);
    expect(await outcomes(bundle)).toMatchObject({ event_chain: 'PASS', corrections: 'NA', status_derivation: 'PASS' });
    const last = altered(bundle, ({ events }) => events.forEach((event) => (event.disclosed.reason = null)));
    expect(await outcomes(last)).toMatchObject({ event_chain: 'FAIL' });
    const unnamed = altered(bundleOf(ledger, log.redactedId), ({ events }) =>
      events.forEach((event) => (event.disclosed.reason = null)),
    );
    expect(await outcomes(unnamed)).toMatchObject({ event_chain: 'FAIL' });
  });

  it('fails when a reason or a payload is shown that a redaction names', async () => {
    const shown = { salt: '00'.repeat(16), item: 'a customer called' };
    const bundle = altered(bundleOf(ledger, log.erasedId), ({ events: [event] }) => {
      if (event !== undefined) event.disclosed.reason = shown;
    });
    expect(await detailOf('event_chain', bundle)).toContain('although an event of the record redacted it');
  });

  it.each(['itself', 'a later event', 'an event of another record'] as const)(
    'fails when a redaction names %s',
    async (named) => {
      const { ledger: own, recordId } = await createMisnamedLog(named);
      const { checks } = await verifyBundle(bundleOf(own, recordId), trustOf(own), { verifySignature });
      expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toMatchObject([
        { check: 'event_chain', detail: 'event 1 redacts an event that is not an earlier one of the record' },
      ]);
    },
  );

  it('fails when a text is shown that was redacted, or that the core says was never kept', async () => {
    const text = { text: 'What is my address?', key: null };
    const redacted = altered(bundleOf(ledger, log.redactedId), ({ record }) => (record.disclosed.question = text));
    expect(await outcomes(redacted)).toMatchObject({ question_commitment: 'FAIL' });
    const unsubmitted = altered(bundleOf(ledger, log.plainId), ({ record }) => (record.disclosed.answer = text));
    expect(await outcomes(unsubmitted)).toMatchObject({ answer_commitment: 'FAIL' });
  });

  it('fails when a plain commitment comes with a key', async () => {
    const bundle = altered(bundleOf(ledger, log.plainId), ({ record }) => {
      record.disclosed.question = { text: 'Anything else?', key: 'ab'.repeat(32) };
    });
    expect(await outcomes(bundle)).toMatchObject({ question_commitment: 'FAIL' });
  });
});

describe('a bundle without its last event', () => {
  const whole = bundleOf(ledger, log.redactedId);
  const cut = altered(whole, (copy) => {
    copy.events.pop();
    copy.status = 'corrected';
  });

  it('fails completeness when the log is at hand', async () => {
    expect(await outcomes(whole, { log: logViewOf(ledger) })).toMatchObject({ event_completeness: 'PASS' });
    expect(await outcomes(cut, { log: logViewOf(ledger) })).toMatchObject({ event_completeness: 'FAIL' });
  });

  it('is told apart by nothing but the log: without it completeness is skipped, and says so', async () => {
    expect(await outcomes(cut)).toMatchObject({ event_completeness: 'SKIP', status_derivation: 'PASS' });
    expect(await detailOf('event_completeness', cut)).toContain(
      'a later correction, void or redaction could have been left out',
    );
  });

  it('fails completeness when an entry is shown that the log does not have', async () => {
    const short = { verified: 'tiles' as const, entriesNaming: () => Promise.resolve([]) };
    expect(await outcomes(whole, { log: short })).toMatchObject({ event_completeness: 'FAIL' });
  });
});

describe('the checkpoint', () => {
  const bundle = bundleOf(ledger, log.correctedId);
  const size = ledger.tables.ledger_leaves.length;
  const origin = ledger.names.origin;
  const pinned = (keys: TrustFile['logs'][number]['keys']): TrustFile => ({ ...trust, logs: [{ origin, keys }] });

  it('fails when the trust file names no such log, and when it pins another key', async () => {
    const elsewhere = { ...trust, logs: [{ origin: 'other.example/x/00000000', keys: trust.logs[0]?.keys ?? [] }] };
    expect(await outcomes(bundle, {}, elsewhere)).toMatchObject({ checkpoint_signature: 'FAIL' });
    const vkey = formatVkey(createVkey(origin, ED25519, createFixtureSigner(9).publicKey));
    const other = pinned([{ vkey, first_tree_size: 0, last_tree_size: null }]);
    expect(await outcomes(bundle, {}, other)).toMatchObject({ checkpoint_signature: 'FAIL' });
  });

  it('fails under a key that was not the log’s at this size', async () => {
    const { vkey } = ledger.names;
    const retired = pinned([{ vkey, first_tree_size: 0, last_tree_size: size - 1 }]);
    const future = pinned([{ vkey, first_tree_size: size + 1, last_tree_size: null }]);
    expect(await outcomes(bundle, {}, retired)).toMatchObject({ checkpoint_signature: 'FAIL' });
    expect(await outcomes(bundle, {}, future)).toMatchObject({ checkpoint_signature: 'FAIL' });
  });

  it('fails when one of two keys of an overlap has not signed', async () => {
    const vkey = formatVkey(createVkey(origin, ED25519, createFixtureSigner(9).publicKey));
    const overlap = pinned([...(trust.logs[0]?.keys ?? []), { vkey, first_tree_size: 3, last_tree_size: null }]);
    expect(await outcomes(bundle, {}, overlap)).toMatchObject({ checkpoint_signature: 'FAIL' });
  });

  it('must be of one history with the trees that were shown to others, before or after', async () => {
    const earlier = { size: 5, root: rootOf(ledger, 5), proof: consistencyOf(ledger, 5, size) };
    expect(await outcomes(bundle, { published: [earlier] })).toMatchObject({ checkpoint_consistency: 'PASS' });
    const forked = { ...earlier, root: rootOf(ledger, 4) };
    expect(await outcomes(bundle, { published: [earlier, forked] })).toMatchObject({ checkpoint_consistency: 'FAIL' });
    const ahead = { size: size + 1, root: rootOf(ledger, size), proof: [] };
    expect(await outcomes(bundle, { published: [ahead] })).toMatchObject({ checkpoint_consistency: 'FAIL' });
  });
});

describe('the caller’s own receipt', () => {
  const bundle = bundleOf(ledger, log.correctedId);
  const size = ledger.tables.ledger_leaves.length;
  const index = bundle.record.leaf_index;
  const receipt = receiptOf(ledger, index, index + 1);
  const consistency = consistencyOf(ledger, index + 1, size);

  it('passes with the consistency proof, and needs the log without it', async () => {
    expect(await outcomes(bundle, { receipt, consistency })).toMatchObject({ receipt: 'PASS' });
    expect(await outcomes(bundle, { receipt })).toMatchObject({ receipt: 'SKIP' });
  });

  it('passes without one when it is of the very tree, and fails when the tree of that size is another', async () => {
    const same = receiptOf(ledger, index, size);
    expect(await outcomes(bundle, { receipt: same })).toMatchObject({ receipt: 'PASS' });
    const { ledger: other } = await createWorkedLog();
    await other.record();
    other.tables.ledger_leaves.splice(size - 1, 1);
    const fork = receiptOf(other, index, size);
    expect(await outcomes(bundle, { receipt: fork })).toMatchObject({ receipt: 'FAIL' });
  });

  it('fails when it is of another leaf, another log, not signed by the pin, or not of the format', async () => {
    expect(await outcomes(bundle, { receipt: receiptOf(ledger, index + 1) })).toMatchObject({ receipt: 'FAIL' });
    const unsigned = receipt.replace(/.{8}==?\n$|.{8}\n$/, 'AAAAAAA=\n');
    expect(await outcomes(bundle, { receipt: unsigned })).toMatchObject({ receipt: 'FAIL' });
    expect(await outcomes(bundle, { receipt: 'no receipt' })).toMatchObject({ receipt: 'FAIL' });
    const forged = receipt.replace(checkpointOf(ledger, index + 1).split('\n')[0] ?? '', 'other.example/x/00000000');
    expect(await outcomes(bundle, { receipt: forged })).toMatchObject({ receipt: 'FAIL' });
  });

  it('may be stood in for by the commit that recorded the answer', async () => {
    const creation = { treeSize: index + 1, root: rootOf(ledger, index + 1), consistency };
    expect(await outcomes(bundle, { creation })).toMatchObject({ receipt: 'PASS' });
    const forked = { ...creation, root: rootOf(ledger, index) };
    expect(await outcomes(bundle, { creation: forked })).toMatchObject({ receipt: 'FAIL' });
    const before = { treeSize: index, root: rootOf(ledger, index), consistency: consistencyOf(ledger, index, size) };
    expect(await outcomes(bundle, { creation: before })).toMatchObject({ receipt: 'FAIL' });
  });
});

describe('input that is no bundle', () => {
  it.each([null, 'text', 7, [], {}, { format: 'answer-evidence-bundle/v3' }])('%j is refused', async (input) => {
    await expect(verifyBundle(input, trust, { verifySignature })).rejects.toBeInstanceOf(BundleFormatError);
  });

  it('that names the format and departs from it fails every check with the place', async () => {
    const bundle = { ...bundleOf(ledger, log.correctedId), status: 'perfect' };
    const result = await verifyBundle(bundle, trust, { verifySignature });
    expect(result.checks.map(({ check }) => check)).toEqual(CHECKS);
    expect(result.checks.every((check) => check.outcome === 'FAIL' && check.detail.includes('/status'))).toBe(true);
    expect(result).toMatchObject({ answer_log_id: log.correctedId, checkpoint: null, pins: [] });
  });
});

describe('what reconciliation found about the record', () => {
  const facts = { created_at: '2026-01-02T03:04:05.000000Z', record_status: 'recorded' as const };
  const about = { reference_id: 'msg-1', answer_log_id: log.correctedId };
  const hashes = { question: null, answer: null };
  const doubled: ReconciliationFinding = {
    type: 'duplicate_service',
    ...about,
    detail: { first_answer_log_id: log.plainId, ...facts, question: 'same', answer: 'same' },
  };
  const mismatch: ReconciliationFinding = {
    type: 'missing_service',
    ...about,
    detail: {
      reason: 'hash_mismatch',
      occurred_at: facts.created_at,
      ...facts,
      fields: ['answer'],
      referenced: hashes,
      recorded: hashes,
    },
  };
  const unexpected: ReconciliationFinding = {
    type: 'unexpected_service',
    ...about,
    reference_id: null,
    detail: { match_value: null, ...facts, provisional: false },
  };

  it.each([
    ['no run', null, 'SKIP', 'no completed reconciliation run'],
    ['a run that found nothing', [], 'PASS', 'found nothing'],
    ['a run that found it unexpected', [unexpected], 'SKIP', 'unexpected_service'],
    ['a run that found it doubled', [unexpected, doubled], 'FAIL', 'a duplicate'],
    ['a run with another hash', [mismatch], 'FAIL', 'different hashes of answer'],
    ['a run that cannot be read', { damage: 'the run r-1 is damaged' }, 'FAIL', 'the run r-1 is damaged'],
  ] as const)('decides the check for %s', async (_, findings, expected, words) => {
    const isRun = findings !== null && !('damage' in findings);
    const reconciliation = isRun ? { runId: log.plainId, treeSize: 9, findings } : findings;
    const bundle = bundleOf(ledger, log.correctedId);
    expect(await outcomes(bundle, { reconciliation })).toMatchObject({ reconciliation: expected });
    expect(await detailOf('reconciliation', bundle, { reconciliation })).toContain(words);
  });
});
