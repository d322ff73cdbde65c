import type { LineSet } from '@answer-evidence/contracts';
import { formatFindingLine, formatReferenceSet, lineSetOf, parseFindingLine } from '@answer-evidence/reconciliation';
import { assertSame, CheckFailure, pass, type Verdict } from '../verdict.ts';
import type { ProofContext } from './proof-context.ts';

/** The caller's list against the size and root of the references that the run was decided with. */
export function checkReferences({ bundle, files, rules }: ProofContext): Verdict {
  const { references } = bundle.run.core;
  const outside = files.references.filter(
    ({ occurredAt }) => occurredAt < rules.windowStart || rules.windowEnd <= occurredAt,
  );
  if (outside.length > 0) throw new CheckFailure(`${outside.length} references are outside the window of the run`);
  assertSet('references', references, lineSetOf(formatReferenceSet(files.references)));
  return pass(`${references.size} references match those of the run`);
}

/** The record set against its size and root, and each line against its own entry and what the run is about. */
export function checkRecords(context: ProofContext): Verdict {
  const { records: stated } = context.bundle.run.core;
  const records = context.records();
  if (context.recordSet.fault !== undefined) throw context.recordSet.fault;
  assertSet('records', stated, context.recordSet.lines);
  const decided = context.decision().records.length;
  if (decided !== records.length) {
    throw new CheckFailure(`${records.length - decided} records of the set are neither in the window nor named`);
  }
  return pass(`${stated.size} records match those of the run, and each core matches its entry`);
}

/** What references and records come to, against the root of the findings, and a file of them if there is one. */
export function checkFindings({ bundle, files, decision }: ProofContext): Verdict {
  const { findings: stated } = bundle.run.core;
  const derived = decision().findings.map(formatFindingLine);
  if (files.findings !== undefined) assertFindingsFile(derived, files.findings);
  assertSet('findings', stated, lineSetOf(derived));
  return pass(
    `${stated.size} findings follow from the references and the record set${files.findings === undefined ? '' : ', and match the file'}`,
  );
}

/** Every count of the run against what references and records come to. */
export function checkCounts({ bundle, decision }: ProofContext): Verdict {
  const derived = Object.entries(decision().counts);
  const stated = new Map(Object.entries(bundle.run.core.counts));
  for (const [name, count] of derived) assertSame(`the count ${name}`, stated.get(name) ?? 'none', count);
  return pass(`${derived.length} counts follow from the references and the record set`);
}

function assertFindingsFile(derived: readonly string[], shown: readonly string[]): void {
  const n = Math.max(derived.length, shown.length);
  for (let i = 0; i < n; i++) {
    const own = derived[i];
    const theirs = shown[i];
    if (own === theirs) continue;
    throw new CheckFailure(`line ${i + 1} of the findings does not follow from the references and records`, {
      expected: nameOf(own),
      actual: nameOf(theirs),
    });
  }
}

/** A finding by its type and record; the caller's own ids are left out. */
function nameOf(line: string | undefined): string {
  if (line === undefined) return 'no finding';
  try {
    const { type, answer_log_id: record } = parseFindingLine(line);
    return record === null ? type : `${type} ${record}`;
  } catch {
    return 'not a finding in canonical form';
  }
}

function assertSet(name: string, stated: LineSet, derived: LineSet): void {
  assertSame(`the number of ${name}`, stated.size, derived.size);
  assertSame(`the root of the ${name}`, stated.root, derived.root);
}
