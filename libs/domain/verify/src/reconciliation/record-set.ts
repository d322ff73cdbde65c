import { formatEntry, hashCore } from '@answer-evidence/commitments';
import type { LineSet, MatchField, ReconciliationCore, RecordSetLine } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import {
  createLineSet,
  factsOfLine,
  parseRecordLine,
  type ReconciledRecord,
  type RunRules,
  searchEnd,
} from '@answer-evidence/reconciliation';
import { assertSame, CheckFailure } from '../verdict.ts';

/** One record of the set: what the decision reads of it, and the exact text of its leaf. */
export type ShownRecord = { readonly facts: ReconciledRecord; readonly entry: string };

/** A record set, read once, line by line; kept is only what the decision and the log's own checks read. */
export type RecordSet = {
  /** As far as lines are such of a record. */
  readonly records: readonly ShownRecord[];
  /** Root and size of the lines as they stand. */
  readonly lines: LineSet;
  /** The first line that is none of a record, after which nothing was read. */
  readonly unreadable: CheckFailure | undefined;
  /** What is wrong with the first record that is not what the run, its place or its own entry demand. */
  readonly fault: Error | undefined;
};

/** Reads a run's record set. Content never makes it throw; an error of the lines' source is passed on. */
export async function readRecordSet(
  run: ReconciliationCore,
  rules: RunRules,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<RecordSet> {
  const set = createLineSet();
  const records: ShownRecord[] = [];
  let unreadable: CheckFailure | undefined;
  let fault: Error | undefined;
  for await (const text of lines) {
    const read = readLine(text, run.match_on);
    if (read === undefined) {
      const reason = `line ${records.length + 1} of the record set is not the canonical text of a record`;
      unreadable = new CheckFailure(reason);
      break;
    }
    set.add(text);
    fault ??= findFault(run, rules, read, records.at(-1)?.facts);
    records.push({ facts: read.facts, entry: read.line.entry });
  }
  return { records, lines: set.finish(), unreadable, fault };
}

type ReadLine = { readonly line: RecordSetLine; readonly facts: ReconciledRecord };

/** The line of a record; undefined for any other text. */
function readLine(text: string, matchOn: MatchField): ReadLine | undefined {
  try {
    const line = parseRecordLine(text);
    return { line, facts: factsOfLine(line, matchOn) };
  } catch {
    return undefined;
  }
}

function findFault(...of: Parameters<typeof checkLine>): Error | undefined {
  try {
    checkLine(...of);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new CheckFailure('a record of the set could not be verified');
  }
}

function checkLine(
  run: ReconciliationCore,
  rules: RunRules,
  { line, facts }: ReadLine,
  before: ReconciledRecord | undefined,
): void {
  const { core, entry } = line;
  const name = `the record at leaf ${line.leaf_index}`;
  if (before !== undefined && line.leaf_index <= before.leafIndex)
    throw new CheckFailure(`${name} is not in order after the previous one`);
  if (line.leaf_index >= run.snapshot.tree_size) throw new CheckFailure(`${name} is not in the tree of the run`);
  assertSame(`the application of ${name}`, run.application_key, core.application_key);
  assertSame(`the environment of ${name}`, run.environment, core.environment);
  const rebuilt = formatEntry({
    type: 'answer_recorded',
    id: core.id,
    subject: core.id,
    seq: 0,
    hash: parseHex(hashCore('answer_recorded', core).slice('sha256:'.length)),
    at: facts.createdAt,
  });
  assertSame(`the entry of ${name}`, rebuilt, entry);
  if (facts.createdAt < rules.windowStart || searchEnd(rules) <= facts.createdAt)
    throw new CheckFailure(`${name} was created outside the window and its lateness`);
  for (const field of ['question', 'answer'] as const) {
    const { opened, equals } = line[field];
    if ((opened || equals !== null) && !core[field].hash.startsWith('hmac-sha256:'))
      throw new CheckFailure(`the ${field} of ${name} has no keyed commitment that could have been opened`);
    if (equals !== null && !opened) throw new CheckFailure(`the ${field} of ${name} equals a hash but was not opened`);
  }
}
