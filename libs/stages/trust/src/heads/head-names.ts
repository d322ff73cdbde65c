import { type StoredHead, storedHead, storedServerHead } from '@answer-evidence/contracts';
import type { PinnedHead } from '@answer-evidence/ports';
import { pad } from './stored-files.ts';

const NAME = /^head-(\d{4})-(\d{16})-([0-9a-f]{64})(?:-(\d+)-(\d{8})-(sync|async))?\.json$/;

/** What the name of a head's file says of it. An epoch is a name of the log, counted from 0. */
export type HeadName = {
  readonly epoch: number;
  readonly treeSize: number;
  readonly rootHash: string;
  /** Undefined, with a timeline of 0, in names that say nothing of the server. */
  readonly systemIdentifier?: string | undefined;
  readonly timeline: number;
  readonly isSynchronous: boolean;
  /** The file, with its workspace. */
  readonly name: string;
};

/** Reads the name of a file in the folder of a workspace; undefined for one that is not a head's. */
export function parseHeadName(workspaceId: string, name: string): HeadName | undefined {
  const [, epoch, size, rootHash, systemIdentifier, timeline, commits] = NAME.exec(name) ?? [];
  if (epoch === undefined || size === undefined || rootHash === undefined) return undefined;
  return {
    epoch: Number(epoch),
    treeSize: Number(size),
    rootHash,
    systemIdentifier,
    timeline: Number(timeline ?? 0),
    isSynchronous: commits === 'sync',
    name: `${workspaceId}/${name}`,
  };
}

/** The file of a head, with its workspace. */
export function formatHeadName(head: PinnedHead, epoch: number): string {
  const { workspaceId, treeSize, rootHash, systemIdentifier, timeline } = head;
  const server = timeline === undefined ? '' : `-${systemIdentifier}-${pad(timeline, 8)}-${commitsOf(head)}`;
  return `${workspaceId}/head-${pad(epoch, 4)}-${pad(treeSize)}-${rootHash}${server}.json`;
}

/** The file that a copy of a head has. */
export function copyNameOf(name: string): string {
  return name.replace('/head-', '/newest-');
}

/** Reads the name of a copy as that of its head; undefined for the name of any other file. */
export function parseCopyName(workspaceId: string, name: string): HeadName | undefined {
  return name.startsWith('newest-') ? parseHeadName(workspaceId, name.replace('newest-', 'head-')) : undefined;
}

/** Order of epoch and size. Of one tree, the head on the newest server is last, and one whose commits waited first. */
export function inOrder(a: HeadName, b: HeadName): number {
  return (
    a.epoch - b.epoch ||
    a.treeSize - b.treeSize ||
    a.timeline - b.timeline ||
    Number(b.isSynchronous) - Number(a.isSynchronous)
  );
}

/** Whether two heads are of one tree of one name. */
export function isSameTree(
  one: Pick<HeadName, 'epoch' | 'treeSize' | 'rootHash'>,
  other: Pick<HeadName, 'epoch' | 'treeSize' | 'rootHash'>,
): boolean {
  return one.epoch === other.epoch && one.treeSize === other.treeSize && one.rootHash === other.rootHash;
}

/** Whether the name says the server that the head is on. A head that knows no timeline says no more than any name. */
export function isOnServer({ systemIdentifier, timeline, isSynchronous }: HeadName, head: PinnedHead): boolean {
  if (head.timeline === undefined) return true;
  return (
    systemIdentifier === head.systemIdentifier &&
    timeline === head.timeline &&
    isSynchronous === (commitsOf(head) === 'sync')
  );
}

function commitsOf({ synchronousStandbys = '' }: PinnedHead): 'sync' | 'async' {
  return synchronousStandbys === '' ? 'async' : 'sync';
}

/** Parsed before it is written: what could not be read back would stop the next start. */
export function formatHead(head: PinnedHead): StoredHead {
  const { workspaceId, origin, treeSize, rootHash, systemIdentifier, timeline, synchronousStandbys = '' } = head;
  const first = {
    workspace_id: workspaceId,
    origin,
    tree_size: treeSize,
    root_hash: rootHash,
    system_identifier: systemIdentifier,
  };
  if (timeline === undefined) return storedHead.parse(first);
  return storedServerHead.parse({ ...first, timeline, synchronous_standby_names: synchronousStandbys });
}

/** A head of either form. Throws for anything else. */
export function parseHead(value: unknown): PinnedHead {
  const head = storedServerHead.or(storedHead).parse(value);
  return {
    workspaceId: head.workspace_id,
    origin: head.origin,
    treeSize: head.tree_size,
    rootHash: head.root_hash,
    systemIdentifier: head.system_identifier,
    ...('timeline' in head && { timeline: head.timeline, synchronousStandbys: head.synchronous_standby_names }),
  };
}
