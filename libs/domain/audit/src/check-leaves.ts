import { formatEntry } from '@answer-evidence/commitments';
import { formatHex } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import type { LeafRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import { type CheckedLog, describeLog, resumeLog } from './checked-log.ts';
import { CommitWalk } from './commit-walk.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';
import type { Findings } from './findings.ts';
import type { LogReader } from './ledger-reader.ts';
import { SettingsSeries } from './settings-series.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** What the leaves alone say about a log. */
export type LogWalk = {
  readonly tree: TreeBuilder;
  readonly settings: SettingsSeries;
  /** One past the largest leaf index that is stored. */
  readonly end: number;
  /** Roots of the trees that epochs were opened on, by the leaf index of the entry. */
  readonly epochRoots: ReadonlyMap<number, string>;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Root of the tree that an earlier check has seen, if the log has that many leaves. */
  readonly rootBefore: string | undefined;
  /** The log, for a later check to go on from if nothing is wrong with it. */
  readonly log: CheckedLog;
};

/**
 * `since`: where the walk begins, instead of at leaf 0. `sizeBefore`: the size of the tree that an earlier check has
 * seen. `onWalked` is told how many leaves are behind.
 */
type WalkOptions = {
  readonly since?: CheckedLog | undefined;
  readonly sizeBefore?: number | undefined;
  readonly onWalked?: (leaves: number) => void;
};

/** Walks the leaves once: order, times, entries and hashes, and the commits against the tree as it grows. */
export async function checkLeaves(
  reader: LogReader,
  findings: Findings,
  { since, sizeBefore, onWalked }: WalkOptions = {},
): Promise<LogWalk> {
  const { tree, order } = resumeLog(since);
  const begin = tree.size;
  const settings = new SettingsSeries(since?.settings);
  const commits = new CommitWalk(reader.commits(begin), findings, begin);
  const epochRoots = new Map(since?.epochRoots);
  const logIds = new Set(since?.logIds);
  let end = begin;
  let firstAt = since?.firstAt ?? 0;
  let lastAt = since?.order.lastAt ?? 0;
  let rootBefore = sizeBefore === begin ? since?.rootHash : undefined;
  await commits.start();
  await findings.guard({ check: 'leaf', object: 'leaves', leafIndex: null }, async () => {
    for await (const batch of reader.leaves(begin)) {
      for (const leaf of batch) {
        const place = { check: 'leaf', object: `leaf ${leaf.leaf_index}`, leafIndex: leaf.leaf_index };
        if (leaf.leaf_index !== tree.size) findings.add(place, `leaf ${tree.size} was expected here`);
        await findings.guard(place, () => {
          assertKind(leaf, reader);
          if (isOfLog(leaf)) logIds.add(leaf.subject);
          else if (logIds.has(leaf.subject)) throw new CheckFailure('its subject is the id of a log');
          const faults = order.add(leaf, { size: leaf.leaf_index, isWhole: true });
          for (const fault of faults) findings.add(place, `it ${fault}`);
        });
        if (leaf.type === 'settings_changed') settings.add(leaf.leaf_index, leaf.seq);
        if (leaf.type === 'epoch_opened') epochRoots.set(leaf.leaf_index, formatHex(tree.root()));
        tree.append((await findings.guard(place, () => checkHash(leaf))) ?? leaf.leaf_hash);
        if (tree.size === sizeBefore) rootBefore = formatHex(tree.root());
        end = Math.max(end, leaf.leaf_index + 1);
        if (firstAt === 0) firstAt = leaf.at;
        lastAt = leaf.at;
        if (tree.size >= commits.nextSize) await commits.compare(tree);
      }
      onWalked?.(tree.size);
    }
  });
  if (tree.size === 0) findings.add({ check: 'leaf', object: 'leaves', leafIndex: null }, 'the log has no genesis');
  await commits.finish(tree.size);
  const log = describeLog(tree, {
    settings: settings.changes,
    epochRoots: [...epochRoots],
    logIds: [...logIds],
    order: order.soFar,
    firstAt,
  });
  return { tree, settings, end, epochRoots, firstAt, lastAt, rootBefore, log };
}

/** The leaf hash that is stored, which the leaf's fields must hash to. */
function checkHash(leaf: LeafRow): Uint8Array {
  const hash = leafHash(formatEntry(leaf));
  assertSame('its leaf hash', formatHex(hash), formatHex(leaf.leaf_hash));
  return hash;
}

/** A type that the format defines, and the subject that no rule of the log alone can know. */
function assertKind(leaf: LeafRow, reader: LogReader): void {
  const kind = ENTRY_KINDS[leaf.type];
  if (kind === undefined) throw new CheckFailure('its type is not defined by the format');
  if (kind === 'workspace') assertSame('its subject', reader.workspaceId, leaf.subject);
  else if (leaf.subject === reader.workspaceId) throw new CheckFailure('its subject is the id of the workspace');
}

function isOfLog({ type }: LeafRow): boolean {
  return ENTRY_KINDS[type] === 'genesis' || ENTRY_KINDS[type] === 'epoch';
}
