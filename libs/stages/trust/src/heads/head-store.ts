import { storedAdoption, storedForgetting, type StoredHead } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp, isUuid } from '@answer-evidence/encoding';
import { HeadError, type HeadFiles, type HeadStore, type KeptHead, type PinnedHead } from '@answer-evidence/ports';
import { createFirstForm } from './first-form.ts';
import { assertNotGone, writeCopy } from './head-copies.ts';
import {
  formatHead,
  formatHeadName,
  type HeadName,
  inOrder,
  isOnServer,
  isSameTree,
  parseHead,
  parseHeadName,
} from './head-names.ts';
import { readClaims, writeClaim } from './kept-claims.ts';
import { listRedactions, readRedactions, writeRedactions } from './kept-redactions.ts';
import { pathOf, readStored } from './stored-files.ts';

/** Heads of the present name of a log that stay beside the newest one. */
const OLDER_KEPT = 16;
const FORGOTTEN = 'forgotten.json';

/** A head that is kept, and what its file holds, where that was read already. */
type Entry = HeadName & { readonly stored?: StoredHead };

/** What is kept of a workspace: heads in order of epoch and size, and the names of all files in its folder. */
type Kept = { readonly heads: readonly Entry[]; readonly names: readonly string[]; readonly isFirstForm: boolean };

/**
 * Heads as files of the place that the processes of an installation share, written once and never changed:
 * `<workspace>/head-<epoch>-<size>-<root>-<server>.json`. So two roots for one size are two files, and stay as
 * evidence. Names without a server are of an earlier form, and are read. So is the first form, one file per workspace
 * that was replaced each time; the first head that is kept replaces it.
 */
export function createHeadStore(files: HeadFiles): HeadStore {
  const firstForm = createFirstForm(files);

  async function readHead(workspaceId: string, entry: Entry): Promise<PinnedHead> {
    if (entry.stored !== undefined) return parseHead(entry.stored);
    return readStored(files, entry.name, (value) => {
      const head = parseHead(value);
      // A copy under another name would be a head that this log can never match.
      if (formatHeadName(head, entry.epoch) !== entry.name || head.workspaceId !== workspaceId)
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
      timeline: 0,
      isSynchronous: false,
      name: firstForm.nameOf(workspaceId),
      stored,
    }));
    const names = await files.list(workspaceId);
    const heads: Entry[] = names.flatMap((name) => parseHeadName(workspaceId, name) ?? []);
    return {
      heads: [...first.filter((head) => !heads.some((other) => isSameTree(head, other))), ...heads].sort(inOrder),
      names,
      isFirstForm: first.length > 0,
    };
  }

  /** Copies what is in the first form before anything is written beside it, and only then removes it. */
  async function replaceFirstForm(workspaceId: string, { heads, isFirstForm }: Kept): Promise<void> {
    if (!isFirstForm) return;
    for (const { stored, epoch } of heads) if (stored !== undefined) await write(parseHead(stored), epoch);
    const redactions = await firstForm.redactions(workspaceId);
    if (redactions !== undefined) await writeRedactions(files, workspaceId, 0, redactions);
    await firstForm.remove(workspaceId);
  }

  async function write(head: PinnedHead, epoch: number): Promise<string> {
    const name = formatHeadName(head, epoch);
    await files.write(name, `${canonicalize(formatHead(head))}\n`);
    return name;
  }

  /** Old heads go, but the newest few, the last of each earlier name, and any two of one size. */
  async function prune({ heads }: Kept): Promise<void> {
    const newest = heads.at(-1)?.epoch ?? 0;
    const isLast = (entry: Entry, index: number): boolean =>
      entry.epoch === newest ? index >= heads.length - OLDER_KEPT : heads[index + 1]?.epoch !== entry.epoch;
    for (const [index, entry] of heads.entries())
      if (!isLast(entry, index) && !hasTwins(heads, entry)) await files.delete(entry.name);
  }

  /** Keeps a head beside what is there, and refuses what shows a second tree. */
  async function add(head: PinnedHead, kept: Kept, epoch: number): Promise<void> {
    await replaceFirstForm(head.workspaceId, kept);
    const name = await write(head, epoch);
    // The same tree under the name of another server is this head as it was kept before.
    for (const entry of kept.heads)
      if (isSameTree(entry, { ...head, epoch }) && entry.stored === undefined && entry.name !== name)
        await files.delete(entry.name);
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
      assertNotGone(files, workspaceId, newest, names);
      if (newest === undefined) return undefined;
      const head = await readHead(workspaceId, newest);
      const { epoch, name } = newest;
      return {
        ...head,
        place: pathOf(files, name),
        twins: listTwins(files, heads, epoch),
        claims: await readClaims(files, head, epoch, names),
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
        const isKept = isSameTree(newest, { ...head, epoch: newest.epoch }) && isOnServer(newest, head);
        if (newest.treeSize > head.treeSize || isKept) return;
      }
      await add(head, kept, newest?.epoch ?? 0);
    },
    async copyNewest(workspaceId) {
      const { heads, names } = await load(workspaceId);
      const newest = heads.at(-1);
      assertNotGone(files, workspaceId, newest, names);
      // What is in the first form is one file, which is replaced each time.
      if (newest === undefined || newest.stored !== undefined) return;
      await writeCopy(files, workspaceId, await readHead(workspaceId, newest), newest.name, names);
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
      const first = inFirstForm(head);
      const adoption = storedAdoption.parse({ ...formatHead(first), adopted_at: formatTimestamp(atMicros) });
      await files.write(formatHeadName(first, 0).replace('/head-', '/adopted-'), `${canonicalize(adoption)}\n`);
      await add(head, kept, 0);
    },
    async takeBack(head) {
      const { heads, names, isFirstForm } = await load(head.workspaceId);
      const [only] = heads;
      const isAlone = names.length === 1 && heads.length === 1 && !isFirstForm;
      if (only === undefined || !isAlone || head.treeSize > 0 || !isSameTree(only, { ...head, epoch: 0 })) return;
      await files.delete(only.name);
    },
    async forget(workspaceId, atMicros) {
      const newest = (await load(workspaceId)).heads.at(-1);
      if (newest === undefined) throw new Error(`no head of ${workspaceId} is kept`);
      const stored = await readHead(workspaceId, newest);
      const forgetting = storedForgetting.parse({
        ...formatHead(inFirstForm(stored)),
        forgotten_at: formatTimestamp(atMicros),
      });
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

/** A head without what records of an operator's word do not say. */
function inFirstForm({ workspaceId, origin, treeSize, rootHash, systemIdentifier }: PinnedHead): PinnedHead {
  return { workspaceId, origin, treeSize, rootHash, systemIdentifier };
}

/** The heads of one epoch and size, which should be of one tree. */
function twinsOf(heads: readonly Entry[], { epoch, treeSize }: Entry): readonly Entry[] {
  return heads.filter((head) => head.epoch === epoch && head.treeSize === treeSize);
}

function hasTwins(heads: readonly Entry[], entry: Entry): boolean {
  return twinsOf(heads, entry).some(({ rootHash }) => rootHash !== entry.rootHash);
}

function listTwins(files: HeadFiles, heads: readonly Entry[], epoch: number): KeptHead['twins'] {
  return heads.flatMap((head) => {
    const twins = twinsOf(heads, head);
    if (head.epoch !== epoch || !hasTwins(heads, head) || twins[0] !== head) return [];
    return [{ treeSize: head.treeSize, places: twins.map(({ name }) => pathOf(files, name)) }];
  });
}
