import { hashCore } from '@answer-evidence/commitments';
import type { ReconciliationCore, ReconciliationProof, RecordSetLine, TrustFile } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseTimestamp } from '@answer-evidence/encoding';
import { formatTlogProof, signText, signTree } from '@answer-evidence/note';
import {
  decide,
  factsOfLine,
  formatFindingLine,
  formatStatement,
  lineSetOf,
  parseReferenceLine,
  type RunRules,
  statementOf,
} from '@answer-evidence/reconciliation';
import { createSuiteKey, type LooseEntry, readEntry, setEntry } from './reseal.ts';
import { consistencyOf, hashesOf, pathOf, rootOf } from './trees.ts';

/** The proof of a run with its lists, and with the entries of its log, of which the suite holds the key. */
export type RunWorld = {
  readonly proof: ReconciliationProof;
  /** The lines of the caller's list, in their order. */
  readonly references: string[];
  readonly records: RecordSetLine[];
  readonly entries: string[];
  readonly trust: TrustFile;
};

/** What a case changes, and when: everything that comes after it is made again. */
export type RunChange = {
  /** Before the records are hashed. */
  readonly before?: (world: RunWorld) => void;
  /** After the entries of the records follow from their cores. */
  readonly records?: (world: RunWorld) => void;
  /** After the run is decided. */
  readonly core?: (core: ReconciliationCore, world: RunWorld) => void;
  /** After the entry of the run follows from its core. */
  readonly entry?: (entry: LooseEntry) => void;
  readonly after?: (world: RunWorld) => void;
};

/** Applies a change to a copy of a run, decides it again, and makes every hash, proof and signature again. */
export function resealRun(world: RunWorld, change: RunChange = {}): RunWorld {
  const made: RunWorld = structuredClone(world);
  change.before?.(made);
  for (const line of made.records) setRecordEntry(line, made.entries);
  change.records?.(made);
  decideAgain(made);
  change.core?.(made.proof.run.core, made);
  signRun(made, change.entry);
  change.after?.(made);
  return made;
}

/** Puts the entry that follows from the core of a record at its leaf. */
function setRecordEntry(line: RecordSetLine, entries: string[]): void {
  const { core } = line;
  const hash = hashCore('answer_recorded', core);
  line.entry = canonicalize({ ...(JSON.parse(line.entry) as LooseEntry), hash, id: core.id, subject: core.id });
  if (line.leaf_index < entries.length) entries[line.leaf_index] = line.entry;
}

function decideAgain({ proof, references, records }: RunWorld): void {
  const { core } = proof.run;
  const rules: RunRules = {
    windowStart: parseTimestamp(core.window_start),
    windowEnd: parseTimestamp(core.window_end),
    maxLatenessSeconds: core.max_lateness_seconds,
    decidedAt: parseTimestamp(core.decided_at),
    anchoredTreeSize: core.anchored_tree_size,
  };
  const asked = references.map((line) => parseReferenceLine(line));
  const decision = decide(
    rules,
    asked,
    records.map((line) => factsOfLine(line, core.match_on)),
  );
  core.references = lineSetOf(references.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  core.records = lineSetOf(records.map((line) => canonicalize(line)));
  core.findings = lineSetOf(decision.findings.map(formatFindingLine));
  core.counts = decision.counts;
}

function signRun({ proof, entries, trust }: RunWorld, change?: (entry: LooseEntry) => void): void {
  const { run, origin } = proof;
  const { core } = run;
  const key = createSuiteKey(origin, 1);
  const before = hashesOf(entries);
  const size = core.snapshot.tree_size;
  core.snapshot = { tree_size: size, root_hash: formatHex(rootOf(before.slice(0, size))) };
  const entry = { ...readEntry(run), hash: hashCore('reconciliation_completed', core), id: core.id };
  change?.(entry);
  setEntry(run, entry, entries);
  const hashes = hashesOf(entries);
  proof.checkpoint = signTree({ origin, size: hashes.length, root: rootOf(hashes) }, [key]);
  const path = pathOf(hashes, run.leaf_index);
  run.proof = formatTlogProof({ index: run.leaf_index, hashes: path, checkpoint: proof.checkpoint });
  proof.consistency = size > 0 && size <= hashes.length ? consistencyOf(hashes, size).map(formatHex) : [];
  proof.note = signText(formatStatement(statementOf(origin, core)), [key]);
  const keys = [{ vkey: key.vkey, first_tree_size: 0, last_tree_size: null }];
  proof.log_keys = keys;
  trust.logs = [{ origin, keys: [...keys] }];
}
