import type { FindingEvidence, MonitoredLog, MonitorState } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { formatHex, formatTimestamp, MICROS_PER_DAY, parseTimestamp } from '@answer-evidence/encoding';
import { type Finding, readVerified } from '@answer-evidence/monitor';
import type { Io } from '../io.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { ofFile } from '../system-error.ts';

/** What one look at one log came to, as it is printed and posted. It holds no text of an answer. */
export type Report = {
  readonly format: 'answer-evidence-monitor-report/v1';
  readonly at: string;
  readonly source: string;
  /** What is verified of the log; null as long as nothing is. */
  readonly origin: string | null;
  readonly tree_size: number | null;
  readonly root_hash: string | null;
  readonly outcome: 'ok' | 'finding' | 'unreachable';
  /** `evidence` is the file with what shows it to somebody else. */
  readonly findings: readonly {
    readonly kind: Finding['kind'];
    readonly detail: string;
    readonly evidence: string | null;
  }[];
  readonly notices: readonly string[];
};

/** What a look has brought. */
export type Looked = {
  readonly source: string;
  readonly log: MonitoredLog | undefined;
  readonly findings: readonly Finding[];
  readonly notices: readonly string[];
  /** Why the host could not be asked. */
  readonly unreachable?: string;
};

/** Writes the evidence of the findings durably, and makes the report. Throws `UsageError` when that fails. */
export async function createReport(io: Pick<Io, 'files' | 'now'>, statePath: string, looked: Looked): Promise<Report> {
  const { source, log, unreachable } = looked;
  const verified = log === undefined ? undefined : readVerified(log.checkpoint);
  const findings: Report['findings'][number][] = [];
  for (const finding of looked.findings) {
    const evidence = await keepEvidence(io, statePath, finding, verified?.origin ?? source);
    findings.push({ kind: finding.kind, detail: finding.detail, evidence });
  }
  return {
    format: 'answer-evidence-monitor-report/v1',
    at: formatTimestamp(io.now()),
    source,
    origin: verified?.origin ?? null,
    tree_size: verified?.size ?? null,
    root_hash: verified === undefined ? null : formatHex(verified.root),
    outcome: findings.length > 0 ? 'finding' : unreachable === undefined ? 'ok' : 'unreachable',
    findings,
    notices: [...looked.notices, ...(unreachable === undefined ? [] : [unreachable])],
  };
}

/** One file for each contradiction, named by its content: the same one is written once. */
async function keepEvidence(
  { files }: Pick<Io, 'files'>,
  statePath: string,
  { kind, detail, evidence }: Finding,
  origin: string,
): Promise<string | null> {
  if (evidence === undefined) return null;
  const kept: FindingEvidence = { format: 'answer-evidence-finding/v1', kind, origin, detail, ...evidence };
  const text = formatJsonText(kept);
  const path = `${statePath}.evidence/${kind}-${sha256Hex(text).slice(0, 16)}.json`;
  await ofFile(path, files.writeDurably(path, text));
  return path;
}

/**
 * Whether somebody has to be told of the findings, because one of them was not told within a day, and what has been
 * told once they are. What is found no more is forgotten, so that it is told when it comes back.
 */
export function planTelling(
  reported: MonitorState['reported'],
  { source, findings }: Looked,
  now: number,
): { readonly isDue: boolean; readonly untold: MonitorState['reported']; readonly told: MonitorState['reported'] } {
  const digests = [...new Set(findings.map((finding) => digestOf(source, finding)))];
  const others = reported.filter((each) => each.source !== source);
  const still = reported.filter((each) => each.source === source && digests.includes(each.finding));
  const fresh = still.filter(({ at }) => Math.abs(now - parseTimestamp(at)) < MICROS_PER_DAY);
  const at = formatTimestamp(now);
  return {
    isDue: fresh.length < digests.length,
    untold: [...others, ...still],
    told: [...others, ...digests.map((finding) => ({ source, finding, at }))],
  };
}

/** What makes two findings the same: not their sizes and times, which go on. */
function digestOf(source: string, { kind, leaf }: Finding): string {
  return sha256Hex(JSON.stringify([source, kind, leaf ?? null]));
}

/** A report for people. */
export function formatReport({ at, origin, source, tree_size: size, findings, notices, outcome }: Report): string {
  const name = origin ?? source;
  const head = outcome === 'ok' ? [`ok  ${name}: ${size ?? 0} leaves`] : [];
  const lines = [
    ...head,
    ...findings.map(({ kind, detail, evidence }) => {
      return `${kind.toUpperCase()}  ${name}: ${detail}${evidence === null ? '' : ` (evidence in ${evidence})`}`;
    }),
    ...notices.map((notice) => `${outcome === 'unreachable' ? 'unreachable' : 'note'}  ${name}: ${notice}`),
  ];
  return lines.map((line) => `${at}  ${line}`).join('\n');
}
