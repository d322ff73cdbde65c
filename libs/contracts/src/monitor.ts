import * as z from 'zod';
import { timestamp } from './primitives.ts';

/** What a monitor can find out about a log, worst first. */
export const FINDING_KINDS = [
  /** Two trees that the log signed cannot belong to one history. */
  'fork',
  /** The log shows a smaller tree than it has signed. */
  'rollback',
  /** The checkpoint, or a key that signs it, is not one that the trust file and the log name. */
  'unknown_key',
  /** A leaf of a kept receipt or bundle is not in the log. */
  'missing_entry',
  /** The newest checkpoint has no quorum of the witnesses that the trust file demands. */
  'missing_cosignature',
  /** The log has not grown for longer than the monitor was told to expect. */
  'stall',
  /** The log does not serve what its checkpoint commits to. */
  'invalid_log',
  /** A kept file does not hold by itself, whatever the log says. */
  'invalid_receipt',
] as const;

/** The kind of a finding. */
export const findingKind = z.enum(FINDING_KINDS);
export type FindingKind = z.infer<typeof findingKind>;

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().nonnegative();
const originText = z.string().min(1);

/** What a monitor has verified of one log. */
export const monitoredLog = z.strictObject({
  /** Where it is read: a URL or a folder. */
  source: z.string().min(1),
  /** The newest checkpoint that was verified, whole, with the cosignatures that it had. */
  checkpoint: z.string(),
  /** When a larger tree than before was last verified. */
  grown_at: timestamp,
  /** Names under which it was followed before, oldest first, and the tree verified last under each of them. */
  earlier: z.array(z.strictObject({ origin: originText, tree_size: size })),
  /** How far the entries were read: the frontier of that tree, part of the checkpoint's, and its last leaf's time. */
  entries: z.strictObject({ tree_size: size, frontier: z.array(hex32), last_at: timestamp.optional() }),
  /** Leaves that change the keys of the log, and leaves that open another name, among the entries read. */
  key_changes: z.array(size),
  epochs: z.array(size),
  /** Since when the newest checkpoint lacks its quorum of witnesses; null while it has one. */
  uncosigned_since: timestamp.nullable(),
  /** The smallest kept receipt that is newer than the checkpoint, and since when that was so. */
  awaited: z.strictObject({ tree_size: size, since: timestamp }).nullable(),
  /** SHA-256 of the kept leaves that are proven to be in the checkpoint's tree. */
  proven: z.array(hex32),
});
export type MonitoredLog = z.infer<typeof monitoredLog>;

/** The state file of a monitor. */
export const monitorState = z.strictObject({
  format: z.literal('answer-evidence-monitor/v1'),
  logs: z.array(monitoredLog),
  /** Findings that the webhook has been told, by a digest of each. */
  reported: z.array(z.strictObject({ source: z.string().min(1), finding: hex32, at: timestamp })),
});
export type MonitorState = z.infer<typeof monitorState>;

/** What is kept of a finding for a third party: nothing in it needs to be believed. */
export const findingEvidence = z.strictObject({
  format: z.literal('answer-evidence-finding/v1'),
  kind: findingKind,
  origin: originText,
  detail: z.string(),
  /** The notes that contradict each other, the smaller tree first, each as it was signed. */
  checkpoints: z.array(z.string()),
  /**
   * When the trees differ in size: what the root of the smaller one is in the larger one, and the consistency proof
   * between that root and the larger tree. Null when they are of one size, or when there is no proof.
   */
  prefix: z.strictObject({ tree_size: size, root_hash: hex32, proof: z.array(hex32) }).nullable(),
});
export type FindingEvidence = z.infer<typeof findingEvidence>;
