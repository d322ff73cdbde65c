import type { IgnoredReason } from '@answer-evidence/contracts';
import type { OtlpLimits } from '@answer-evidence/otlp';
import type { Ledger, StageDeps } from '@answer-evidence/ports';

/** What became of the items of a request, and how many attributes of its answers were not taken over. */
export type ItemCounts = {
  readonly accepted: number;
  readonly rejected: number;
  readonly ignored: number;
  /** Wait for more of their trace. */
  readonly held: number;
  readonly droppedAttributes: number;
};

/** Why a trace was decided: a root came, nothing came any more, it is too large, or too many wait. */
export const DECISION_REASONS = ['root', 'quiet', 'too_large', 'too_old', 'too_many'] as const;
export type DecisionReason = (typeof DECISION_REASONS)[number];

/** What the stage needs from around it. */
export type OtlpDeps = StageDeps & {
  readonly ledger: Ledger;
  /** Resolves after so many milliseconds; rejects when the signal ends the wait. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onItems?: (counts: ItemCounts) => void;
  /** Traces of which something has waited were decided. */
  readonly onTraces?: (reason: DecisionReason, count: number) => void;
  /** Items of a trace that left no record were ignored. */
  readonly onIgnored?: (reason: IgnoredReason, count: number) => void;
  /** Items were refused, when they came or later, for a reason that names no value. */
  readonly onRefused?: (workspaceId: string, detail: string, count: number) => void;
  readonly otlpLimits: OtlpLimits;
  /** Largest body, as it comes and undone; and what all bodies in hand may have together. */
  readonly otlpBodyBytesMax: number;
  readonly otlpInHandBytesMax: number;
  /** How long an item without a record waits for one. */
  readonly otlpWaitSeconds: number;
  /** How long a trace must be quiet to be decided without its root. */
  readonly otlpTraceWaitSeconds: number;
  /** How long a request waits for the ledger before its items go into the inbox; 0: they always do. */
  readonly otlpLedgerWaitMs: number;
};
