import { generateKeyPairSync, sign } from 'node:crypto';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import type { ReconciliationCore, ReconciliationProof, TrustFile } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatTlogProof, formatVkey, signText, signTree } from '@answer-evidence/note';
import {
  decide,
  factsOfLine,
  formatFindingLine,
  formatReferenceSet,
  formatStatement,
  lineSetOf,
  type Reference,
  statementOf,
} from '@answer-evidence/reconciliation';
import { createSignedBundle } from './signed-bundle.ts';

/** A run that a log holds, with the files that it is verified with. */
type SignedRun = {
  readonly proof: ReconciliationProof;
  readonly trust: TrustFile;
  readonly referencesCsv: string;
  /** The same list as its lines in the set. */
  readonly referenceLines: string;
  readonly recordsJsonl: string;
  readonly findingsJsonl: string;
};

/** A fresh log of three leaves, of which the third is a run that found one record matched and one missing. */
export function createSignedRun(): SignedRun {
  const { bundle, entry: bundleEntry } = createSignedBundle();
  const core = { ...bundle.record.core, idempotency_key: 'msg-1' };
  const createdAt = parseTimestamp(timeOf(bundleEntry));
  const recordEntry = formatEntry({
    type: 'answer_recorded',
    id: core.id,
    subject: core.id,
    seq: 0,
    hash: hashCoreText('answer_recorded', canonicalize(core)),
    at: createdAt,
  });
  const none = { opened: false, equals: null };
  const line = {
    leaf_index: 1,
    entry: recordEntry,
    core,
    status: 'recorded' as const,
    question: none,
    answer: none,
    named_earlier: null,
  };
  const references: readonly Reference[] = ['msg-1', '=cmd'].map((referenceId) => {
    return { referenceId, occurredAt: createdAt - 1_000_000, questionHash: null, answerHash: null };
  });
  const rules = {
    windowStart: createdAt - 3_600_000_000,
    windowEnd: createdAt + 3_600_000_000,
    maxLatenessSeconds: 300,
    decidedAt: createdAt + 7_200_000_000,
    anchoredTreeSize: null,
  };
  const decision = decide(rules, references, [factsOfLine(line, 'idempotency_key')]);
  const findings = decision.findings.map(formatFindingLine);
  const snapshot = appendLeaves(0, [], [leafHash('genesis'), leafHash(recordEntry)]);
  const runCore: ReconciliationCore = {
    id: '0199f3c2-0000-7000-8000-000000000003',
    nonce: '00'.repeat(16),
    run_id: '0199f3c2-0000-7000-8000-000000000002',
    application_key: core.application_key,
    environment: core.environment,
    window_start: formatTimestamp(rules.windowStart),
    window_end: formatTimestamp(rules.windowEnd),
    match_on: 'idempotency_key',
    max_lateness_seconds: rules.maxLatenessSeconds,
    requested_by: core.created_by,
    requested_at: formatTimestamp(rules.decidedAt - 1),
    decided_at: formatTimestamp(rules.decidedAt),
    snapshot: { tree_size: 2, root_hash: formatHex(snapshot.root) },
    anchored_tree_size: null,
    references: lineSetOf(formatReferenceSet(references)),
    records: lineSetOf([canonicalize(line)]),
    findings: lineSetOf(findings),
    counts: decision.counts,
  };
  const entry = formatEntry({
    type: 'reconciliation_completed',
    id: runCore.id,
    subject: bundle.workspace_id,
    seq: 0,
    hash: hashCoreText('reconciliation_completed', canonicalize(runCore)),
    at: rules.decidedAt + 1,
  });
  const tree = appendLeaves(snapshot.size, snapshot.frontier, [leafHash(entry)]);

  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
  const vkey = formatVkey(createVkey(bundle.origin, ED25519, raw));
  const key = { vkey, sign: (text: string | Uint8Array) => new Uint8Array(sign(null, Buffer.from(text), privateKey)) };
  const checkpoint = signTree({ origin: bundle.origin, size: tree.size, root: tree.root }, [key]);
  const pin = { vkey, first_tree_size: 0, last_tree_size: null };
  return {
    proof: {
      format: 'answer-evidence-reconciliation/v1',
      origin: bundle.origin,
      workspace_id: bundle.workspace_id,
      run: {
        leaf_index: 2,
        entry,
        leaf_hash: formatHex(leafHash(entry)),
        proof: formatTlogProof({ index: 2, hashes: tree.proofOf(0), checkpoint }),
        core: runCore,
      },
      note: signText(formatStatement(statementOf(bundle.origin, runCore)), [key]),
      consistency: [formatHex(leafHash(entry))],
      checkpoint,
      anchors: [],
      log_keys: [pin],
      policy: null,
    },
    trust: {
      format: 'answer-evidence-trust/v1',
      logs: [{ origin: bundle.origin, keys: [pin] }],
      witness_policy: null,
      tsa_roots: [],
    },
    referencesCsv: [
      'id,at',
      ...references.map(({ referenceId, occurredAt }) => `${referenceId},${formatTimestamp(occurredAt)}`),
      `of-another-day,${formatTimestamp(rules.windowEnd)}`,
    ].join('\r\n'),
    referenceLines: formatReferenceSet(references)
      .map((reference) => `${reference}\n`)
      .join(''),
    recordsJsonl: `${canonicalize(line)}\n`,
    findingsJsonl: findings.map((finding) => `${finding}\n`).join(''),
  };
}

function timeOf(entry: string): string {
  return /"at":"([^"]+)"/.exec(entry)?.[1] ?? '';
}
