import type { MonitoredLog } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { compareTrees, type TileTree } from '@answer-evidence/verify';
import { contradiction, type Finding } from './finding.ts';
import { readVerified, type SignedCheckpoint } from './signed-checkpoint.ts';

/** What the newest checkpoint comes to beside what was verified before. */
type Followed =
  /** The log goes on from here. */
  | { readonly kind: 'followed'; readonly log: MonitoredLog }
  /** The log goes on under another name and without leaves that it had signed: they are lost, and are reported once. */
  | { readonly kind: 'restarted'; readonly log: MonitoredLog; readonly finding: Finding }
  /** It cannot be followed there. */
  | { readonly kind: 'refused'; readonly finding: Finding };

/** A log that is seen for the first time. */
function begin(source: string, shown: SignedCheckpoint, now: number, earlier: MonitoredLog['earlier']): MonitoredLog {
  return {
    source,
    checkpoint: shown.text,
    grown_at: formatTimestamp(now),
    earlier,
    entries: { tree_size: 0, frontier: [] },
    key_changes: [],
    epochs: [],
    uncosigned_since: null,
    awaited: null,
    proven: [],
  };
}

/**
 * Follows a log to a checkpoint that its pinned keys have signed. Throws `CheckFailure` when its tiles do not lead to
 * that checkpoint.
 */
export async function follow(
  source: string,
  known: MonitoredLog | undefined,
  shown: SignedCheckpoint,
  tiles: TileTree,
  now: number,
): Promise<Followed> {
  if (known === undefined) return { kind: 'followed', log: begin(source, shown, now, []) };
  const before = readVerified(known.checkpoint);
  const { checkpoint } = shown;
  if (checkpoint.origin !== before.origin) return followRenamed(known, shown, tiles, now);
  if (checkpoint.size < before.size) return refuse(rolledBack(known, shown));
  const comparison = await compareTrees(before, checkpoint, tiles);
  if (comparison.kind === 'fork') {
    const detail =
      comparison.prefix === null
        ? `the log has signed two different trees of ${before.size} leaves`
        : `the log has signed a tree of ${checkpoint.size} leaves that does not begin with the tree of ${before.size} leaves that it signed before`;
    return refuse(contradiction('fork', detail, [known.checkpoint, shown.text], comparison.prefix));
  }
  return { kind: 'followed', log: grow(known, before.size, shown, now) };
}

/** Under another name: the tree goes on, unless leaves that were verified are lost. */
async function followRenamed(
  known: MonitoredLog,
  shown: SignedCheckpoint,
  tiles: TileTree,
  now: number,
): Promise<Followed> {
  const before = readVerified(known.checkpoint);
  const { checkpoint } = shown;
  if (known.earlier.some(({ origin }) => origin === checkpoint.origin)) return refuse(rolledBack(known, shown));
  const comparison = checkpoint.size > before.size ? await compareTrees(before, checkpoint, tiles) : undefined;
  if (comparison?.kind === 'one-history') {
    const earlier = [...known.earlier, { origin: before.origin, tree_size: before.size }];
    return { kind: 'followed', log: { ...grow(known, before.size, shown, now), earlier } };
  }
  const detail =
    `the log goes on as ${checkpoint.origin}, with ${checkpoint.size} leaves, and without some of the ` +
    `${before.size} leaves that were verified as ${before.origin}`;
  const finding = contradiction('rollback', detail, [known.checkpoint, shown.text], comparison?.prefix ?? null);
  const earlier = [...known.earlier, { origin: before.origin, tree_size: 0 }];
  return { kind: 'restarted', log: begin(known.source, shown, now, earlier), finding };
}

function grow(known: MonitoredLog, sizeBefore: number, shown: SignedCheckpoint, now: number): MonitoredLog {
  const grown = shown.checkpoint.size > sizeBefore ? { grown_at: formatTimestamp(now) } : {};
  return { ...known, ...grown, checkpoint: shown.text };
}

function rolledBack(known: MonitoredLog, shown: SignedCheckpoint): Finding {
  const before = readVerified(known.checkpoint);
  const { size, origin } = shown.checkpoint;
  const name = origin === before.origin ? '' : ` under its earlier name ${origin}`;
  return contradiction('rollback', `the log shows ${size} leaves${name}, but it has signed ${before.size}`, [
    shown.text,
    known.checkpoint,
  ]);
}

function refuse(finding: Finding): Followed {
  return { kind: 'refused', finding };
}
