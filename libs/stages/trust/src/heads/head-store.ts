import { storedAdoption, storedForgetting, type StoredHead, storedHead } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp, isUuid } from '@answer-evidence/encoding';
import { HeadError, type HeadFiles, type HeadStore, type KeptHead, type PinnedHead } from '@answer-evidence/ports';
import { createFirstForm } from './first-form.ts';
import { readClaims, writeClaim } from './kept-claims.ts';
import { listRedactions, readRedactions, writeRedactions } from './kept-redactions.ts';
import { pad, pathOf, readStored } from './stored-files.ts';

/** Heads of the present name of a log that stay beside the newest one. */
const OLDER_KEPT = 16;
const FORGOTTEN = 'forgotten.json';
const HEAD_NAME = /^head-(\d{4})-(\d{16})-([0-9a-f]{64})\.json$/;

/** A head that is kept. An epoch is a name of the log, counted from 0. */
type Entry = {
  readonly epoch: number;
  readonly treeSize: number;
  readonly rootHash: string;
  /** The file that it is in. */
  readonly name: string;
  /** What the file holds, where it was read already. */
  readonly stored?: StoredHead;
};

/** What is kept of a workspace: heads in order of epoch and size, and the names of all files in its folder. */
type Kept = { readonly heads: readonly Entry[]; readonly names: readonly string[]; readonly isFirstForm: boolean };

/**
 * Heads as files of the place that the processes of an installation share, written once and never changed:
 * `<workspace>/head-<epoch>-<size>-<root>.json`. So two roots for one size are two files, and stay as evidence. The
 * first form, one file per workspace that was replaced each time, is read; the first head that is kept replaces it.
 */
export function createHeadStore(files: HeadFiles): HeadStore {
  const firstForm = createFirstForm(files);

  async function readHead(workspaceId: string, entry: Entry): Promise<StoredHead> {
    if (entry.stored !== undefined) return entry.stored;
    return readStored(files, entry.name, (value) => {
      const head = storedHead.parse(value);
      // A copy under another name would be a head that this log can never match.
      if (nameOf(head, entry.epoch) !== entry.name || head.workspace_id !== workspaceId)
        throw new Error('the file is not the one that its name says');
      return head;
    });
  }

  async function load(workspaceId: string): Promise<Kept> {
    assertId(workspaceId);
    const first = (await firstForm.heads(workspaceId)).map((stored, epoch): Entry => ({
      epoch,
      treeSize: stored.tree_size,
      rootHash: stored.root_hash,
      name: firstForm.nameOf(workspaceId),
      stored,
    }));
    const names = await files.list(workspaceId);
    const heads = names.flatMap((name): Entry[] => {
      const [, epoch, size, rootHash] = HEAD_NAME.exec(name) ?? [];
      if (epoch === undefined || size === undefined || rootHash === undefined) return [];
      return [{ epoch: Number(epoch), treeSize: Number(size), rootHash, name: `${workspaceId}/${name}` }];
    });
    return {
      heads: [...first.filter((head) => !heads.some((other) => isSame(head, other))), ...heads].sort(
        (a, b) => a.epoch - b.epoch || a.treeSize - b.treeSize,
      ),
      names,
      isFirstForm: first.length > 0,
    };
  }

  /** Copies what is in the first form before anything is written beside it, and only then removes it. */
  async function replaceFirstForm(workspaceId: string, { heads, isFirstForm }: Kept): Promise<void> {
    if (!isFirstForm) return;
    for (const { stored, epoch } of heads) if (stored !== undefined) await write(stored, epoch);
    const redactions = await firstForm.redactions(workspaceId);
    if (redactions !== undefined) await writeRedactions(files, workspaceId, 0, redactions);
    await firstForm.remove(workspaceId);
  }

  async function write(stored: StoredHead, epoch: number): Promise<void> {
    await files.write(nameOf(stored, epoch), `${canonicalize(stored)}\n`);
  }

  /** Old heads go, but the newest few, the last of each earlier name, and any two of one size. */
  async function prune({ heads }: Kept): Promise<void> {
    const newest = heads.at(-1)?.epoch ?? 0;
    const isLast = (entry: Entry, index: number): boolean =>
      entry.epoch === newest ? index >= heads.length - OLDER_KEPT : heads[index + 1]?.epoch !== entry.epoch;
    for (const [index, entry] of heads.entries())
      if (!isLast(entry, index) && twinsOf(heads, entry).length === 1) await files.delete(entry.name);
  }

  /** Keeps a head beside what is there, and refuses what shows a second tree. */
  async function add(head: PinnedHead, kept: Kept, epoch: number): Promise<void> {
    const stored = toStored(head);
    await replaceFirstForm(head.workspaceId, kept);
    await write(stored, epoch);
    const now = await load(head.workspaceId);
    const [twins] = listTwins(files, now.heads, epoch);
    if (twins !== undefined) {
      const words = `the log ${head.origin} has ${twins.places.length} roots at size ${twins.treeSize}`;
      throw new HeadError('log_refused', `${words}: ${twins.places.join(' and ')}`);
    }
    await prune(now);
  }

  return {
    place: files.place,
    async find(workspaceId) {
      const { heads, names } = await load(workspaceId);
      const newest = heads.at(-1);
      if (newest === undefined) return undefined;
      const { origin, system_identifier: systemIdentifier } = await readHead(workspaceId, newest);
      const { epoch, treeSize, rootHash, name } = newest;
      return {
        workspaceId,
        origin,
        treeSize,
        rootHash,
        systemIdentifier,
        place: pathOf(files, name),
        twins: listTwins(files, heads, epoch),
        claims: await readClaims(files, workspaceId, epoch, names),
      };
    },
    async workspaceIds() {
      const ofFirstForm = (await files.list('')).map((name) => name.replace(/\.json$/, ''));
      return [...new Set([...(await files.folders()), ...ofFirstForm])].filter(isUuid).sort();
    },
    async keep(head) {
      const kept = await load(head.workspaceId);
      const newest = kept.heads.at(-1);
      if (newest !== undefined) {
        const { origin } = await readHead(head.workspaceId, newest);
        if (origin !== head.origin)
          throw new HeadError(
            'log_refused',
            `${pathOf(files, newest.name)} is a head of ${origin}, and not of ${head.origin}`,
          );
        const isKept = newest.treeSize > head.treeSize || isSame(newest, { ...head, epoch: newest.epoch });
        if (isKept) return;
      }
      await add(head, kept, newest?.epoch ?? 0);
    },
    async moveOn(head, ended) {
      const kept = await load(head.workspaceId);
      const newest = kept.heads.at(-1);
      const origin = newest && (await readHead(head.workspaceId, newest)).origin;
      if (newest === undefined || origin !== ended || ended === head.origin)
        throw new Error(`the kept head of ${head.workspaceId} is not of the log that is said to have ended`);
      await add(head, kept, newest.epoch + 1);
    },
    async adopt(head, atMicros) {
      const kept = await load(head.workspaceId);
      if (kept.heads.length > 0) throw new Error(`a head of ${head.workspaceId} is kept already`);
      const stored = toStored(head);
      const adoption = storedAdoption.parse({ ...stored, adopted_at: formatTimestamp(atMicros) });
      await files.write(nameOf(stored, 0).replace('/head-', '/adopted-'), `${canonicalize(adoption)}\n`);
      await add(head, kept, 0);
    },
    async takeBack(head) {
      const { heads, names, isFirstForm } = await load(head.workspaceId);
      const [only] = heads;
      const isAlone = names.length === 1 && heads.length === 1 && !isFirstForm;
      if (only === undefined || !isAlone || head.treeSize > 0 || !isSame(only, { ...head, epoch: 0 })) return;
      await files.delete(only.name);
    },
    async forget(workspaceId, atMicros) {
      const newest = (await load(workspaceId)).heads.at(-1);
      if (newest === undefined) throw new Error(`no head of ${workspaceId} is kept`);
      const stored = await readHead(workspaceId, newest);
      const forgetting = storedForgetting.parse({ ...stored, forgotten_at: formatTimestamp(atMicros) });
      await files.write(`${workspaceId}/${FORGOTTEN}`, `${canonicalize(forgetting)}\n`);
    },
    async isForgotten(workspaceId) {
      assertId(workspaceId);
      return (await files.read(`${workspaceId}/${FORGOTTEN}`)) !== undefined;
    },
    async dispute(claim) {
      const { heads } = await load(claim.workspaceId);
      await writeClaim(files, heads.at(-1)?.epoch ?? 0, claim);
    },
    async findEnded(workspaceId) {
      const { heads } = await load(workspaceId);
      const newest = heads.at(-1)?.epoch ?? 0;
      const lasts = heads.filter(({ epoch }, index) => epoch < newest && heads[index + 1]?.epoch !== epoch);
      return Promise.all(lasts.map(async (entry) => (await readHead(workspaceId, entry)).origin));
    },
    async keepRedactions(workspaceId, fromSize, redactions) {
      await replaceFirstForm(workspaceId, await load(workspaceId));
      await writeRedactions(files, workspaceId, fromSize, redactions);
    },
    async hasRedactions(workspaceId) {
      assertId(workspaceId);
      if ((await listRedactions(files, workspaceId)).length > 0) return true;
      return (await firstForm.redactions(workspaceId)) !== undefined;
    },
    async findRedactions(workspaceId) {
      assertId(workspaceId);
      const first = await firstForm.redactions(workspaceId);
      const names = await listRedactions(files, workspaceId);
      if (first === undefined && names.length === 0) return undefined;
      const found = new Map((first ?? []).map((redaction) => [redaction.eventId, redaction]));
      for (const name of names)
        for (const redaction of await readRedactions(files, workspaceId, name))
          if (!found.has(redaction.eventId)) found.set(redaction.eventId, redaction);
      return [...found.values()];
    },
  };
}

// The id becomes part of a path, so it is held to its form here and not trusted to its type.
function assertId(workspaceId: string): void {
  if (!isUuid(workspaceId)) throw new Error('a workspace id is not a UUID');
}

function nameOf({ workspace_id, tree_size, root_hash }: StoredHead, epoch: number): string {
  return `${workspace_id}/head-${pad(epoch, 4)}-${pad(tree_size)}-${root_hash}.json`;
}

/** Parsed before it is written: what could not be read back would stop the next start. */
function toStored({ workspaceId, origin, treeSize, rootHash, systemIdentifier }: PinnedHead): StoredHead {
  return storedHead.parse({
    workspace_id: workspaceId,
    origin,
    tree_size: treeSize,
    root_hash: rootHash,
    system_identifier: systemIdentifier,
  });
}

type Place = Pick<Entry, 'epoch' | 'treeSize' | 'rootHash'>;

function isSame(one: Place, other: Place): boolean {
  return one.epoch === other.epoch && one.treeSize === other.treeSize && one.rootHash === other.rootHash;
}

/** The heads of one epoch and size, which should be one. */
function twinsOf(heads: readonly Entry[], { epoch, treeSize }: Entry): readonly Entry[] {
  return heads.filter((head) => head.epoch === epoch && head.treeSize === treeSize);
}

function listTwins(files: HeadFiles, heads: readonly Entry[], epoch: number): KeptHead['twins'] {
  return heads.flatMap((head) => {
    const twins = twinsOf(heads, head);
    if (head.epoch !== epoch || twins.length === 1 || twins[0] !== head) return [];
    return [{ treeSize: head.treeSize, places: twins.map(({ name }) => pathOf(files, name)) }];
  });
}
