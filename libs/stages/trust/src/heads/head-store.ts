import {
  storedAdoption,
  storedClaim,
  type StoredHead,
  storedHead,
  storedHeadFile,
  storedRedaction,
} from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, formatTimestamp, isUuid, parseJson, parseJsonText } from '@answer-evidence/encoding';
import {
  HeadError,
  type HeadFiles,
  type HeadStore,
  type OutsideClaim,
  type OutsideHead,
  type OutsideRedaction,
} from '@answer-evidence/ports';

/** Heads of the present name of a log that stay beside the newest one. */
const OLDER_KEPT = 16;
const HEAD_NAME = /^head-(\d{4})-(\d{16})-([0-9a-f]{64})\.json$/;
const CLAIM_NAME = /^claim-(\d{4})-/;

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

/** What is kept of a workspace: heads in order of epoch and size, and the names of claims. */
type Kept = { readonly heads: readonly Entry[]; readonly claims: readonly string[]; readonly isFirstForm: boolean };

/**
 * Heads as files of the place that the processes of an installation share, written once and never changed:
 * `<workspace>/head-<epoch>-<size>-<root>.json`. So two roots for one size are two files, and stay as evidence. The
 * first form, one file per workspace that was replaced each time, is read; the first head that is kept replaces it.
 */
export function createHeadStore(files: HeadFiles): HeadStore {
  const pathOf = (name: string): string => `${files.place}/${name}`;

  /** Nobody writes the first form any more: where it was missing once, it is not looked for again. */
  const withoutFirstForm = new Set<string>();

  async function readStored<T>(name: string, parse: (value: unknown) => T): Promise<T> {
    try {
      return parse(parseJson((await files.read(name)) ?? new Uint8Array()));
    } catch (error) {
      // The place itself says what is wrong with it.
      if (error instanceof HeadError) throw error;
      throw unreadable(pathOf(name), error);
    }
  }

  async function readHead(workspaceId: string, entry: Entry): Promise<StoredHead> {
    if (entry.stored !== undefined) return entry.stored;
    return readStored(entry.name, (value) => {
      const head = storedHead.parse(value);
      // A copy under another name would be a head that this log can never match.
      if (nameOf(head, entry.epoch) !== entry.name || head.workspace_id !== workspaceId)
        throw new Error('the file is not the one that its name says');
      return head;
    });
  }

  /** The first form, as entries: what ended counts as the epochs before. */
  async function readFirstForm(workspaceId: string): Promise<readonly Entry[]> {
    const name = `${workspaceId}.json`;
    if (withoutFirstForm.has(workspaceId)) return [];
    if (!(await files.list('')).includes(name)) {
      withoutFirstForm.add(workspaceId);
      return [];
    }
    const { ended = [], ...newest } = await readStored(name, (value) => {
      const file = storedHeadFile.parse(value);
      if (file.workspace_id !== workspaceId) throw new Error('the file belongs to another workspace');
      return file;
    });
    return [...ended.map((head) => ({ ...newest, ...head })), newest].map((stored, epoch) => ({
      epoch,
      treeSize: stored.tree_size,
      rootHash: stored.root_hash,
      name,
      stored,
    }));
  }

  async function load(workspaceId: string): Promise<Kept> {
    assertId(workspaceId);
    const first = await readFirstForm(workspaceId);
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
      claims: names.filter((name) => CLAIM_NAME.test(name)),
      isFirstForm: first.length > 0,
    };
  }

  /** Copies what is in the first form before anything is written beside it, and only then removes it. */
  async function replaceFirstForm(workspaceId: string, { heads, isFirstForm }: Kept): Promise<void> {
    if (!isFirstForm) return;
    for (const { stored, epoch } of heads) if (stored !== undefined) await write(stored, epoch);
    const redactions = await readFirstRedactions(workspaceId);
    if (redactions !== undefined) await writeRedactions(workspaceId, 0, redactions);
    await files.delete(`${workspaceId}.redactions`);
    await files.delete(`${workspaceId}.json`);
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

  async function readFirstRedactions(workspaceId: string): Promise<readonly OutsideRedaction[] | undefined> {
    const content = await files.read(`${workspaceId}.redactions`);
    if (content === undefined) return undefined;
    const text = new TextDecoder().decode(content);
    // A crash may have left a beginning of a line: at the end, or closed by "#" before the next.
    return parseRedactions(text.slice(0, text.lastIndexOf('\n') + 1).replaceAll(/^.*#\n/gm, ''));
  }

  async function writeRedactions(
    workspaceId: string,
    fromSize: number,
    redactions: readonly OutsideRedaction[],
  ): Promise<void> {
    const content = redactions
      .map(({ recordId, eventId, payload }) =>
        canonicalize(storedRedaction.parse({ record_id: recordId, event_id: eventId, payload })),
      )
      .map((line) => `${line}\n`)
      .join('');
    await files.write(`${workspaceId}/redactions/${pad(fromSize)}-${formatHex(sha256(content))}.jsonl`, content);
  }

  /** Keeps a head beside what is there, and refuses what shows a second tree. */
  async function add(head: OutsideHead, kept: Kept, epoch: number): Promise<void> {
    const stored = toStored(head);
    await replaceFirstForm(head.workspaceId, kept);
    await write(stored, epoch);
    const now = await load(head.workspaceId);
    const [twins] = describeTwins(now.heads, epoch, head.origin, pathOf);
    if (twins !== undefined) throw new HeadError('log_refused', twins);
    await prune(now);
  }

  return {
    place: files.place,
    async find(workspaceId) {
      const { heads, claims } = await load(workspaceId);
      const newest = heads.at(-1);
      if (newest === undefined) return undefined;
      const { origin, system_identifier: systemIdentifier } = await readHead(workspaceId, newest);
      const { epoch, treeSize, rootHash, name } = newest;
      const ofEpoch = claims.filter((claim) => Number(CLAIM_NAME.exec(claim)?.[1]) === epoch);
      return {
        workspaceId,
        origin,
        treeSize,
        rootHash,
        systemIdentifier,
        place: pathOf(name),
        twins: describeTwins(heads, epoch, origin, pathOf),
        claims: await Promise.all(
          ofEpoch.map(async (claim) => {
            const path = `${workspaceId}/${claim}`;
            const { party, tree_size, held_size } = await readStored(path, (value) => storedClaim.parse(value));
            const words = describeClaim({ party, treeSize: tree_size, heldSize: held_size });
            return `${words} (kept as ${pathOf(path)})`;
          }),
        ),
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
            `${pathOf(newest.name)} is a head of ${origin}, and not of ${head.origin}`,
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
    async dispute({ workspaceId, origin, party, treeSize, heldSize }) {
      const { heads } = await load(workspaceId);
      const claim = { workspace_id: workspaceId, origin, party, tree_size: treeSize, held_size: heldSize };
      const content = `${canonicalize(storedClaim.parse(claim))}\n`;
      const epoch = pad(heads.at(-1)?.epoch ?? 0, 4);
      await files.write(`${workspaceId}/claim-${epoch}-${formatHex(sha256(content))}.json`, content);
    },
    async findEnded(workspaceId) {
      const { heads } = await load(workspaceId);
      const newest = heads.at(-1)?.epoch ?? 0;
      const lasts = heads.filter(({ epoch }, index) => epoch < newest && heads[index + 1]?.epoch !== epoch);
      return Promise.all(lasts.map(async (entry) => (await readHead(workspaceId, entry)).origin));
    },
    async keepRedactions(workspaceId, fromSize, redactions) {
      await replaceFirstForm(workspaceId, await load(workspaceId));
      await writeRedactions(workspaceId, fromSize, redactions);
    },
    async hasRedactions(workspaceId) {
      assertId(workspaceId);
      if ((await files.list(`${workspaceId}/redactions`)).length > 0) return true;
      return (await files.read(`${workspaceId}.redactions`)) !== undefined;
    },
    async findRedactions(workspaceId) {
      assertId(workspaceId);
      const first = await readFirstRedactions(workspaceId);
      const names = await files.list(`${workspaceId}/redactions`);
      if (first === undefined && names.length === 0) return undefined;
      const found = new Map((first ?? []).map((redaction) => [redaction.eventId, redaction]));
      for (const name of names) {
        const path = `${workspaceId}/redactions/${name}`;
        const content = (await files.read(path)) ?? new Uint8Array();
        if (!name.endsWith(`-${formatHex(sha256(content))}.jsonl`))
          throw unreadable(pathOf(path), new Error('the file is not the one that its name says'));
        for (const redaction of parseRedactions(new TextDecoder().decode(content)))
          if (!found.has(redaction.eventId)) found.set(redaction.eventId, redaction);
      }
      return [...found.values()];
    },
  };
}

/** What an outside party holds against a log. One that has seen no more entries has seen others. */
export function describeClaim({ party, treeSize, heldSize }: Omit<OutsideClaim, 'workspaceId' | 'origin'>): string {
  return treeSize > heldSize
    ? `${party} has seen ${treeSize} entries, but the database held ${heldSize}`
    : `${party} has seen another tree of ${treeSize} entries than the one that the database held`;
}

// The id becomes part of a path, so it is held to its form here and not trusted to its type.
function assertId(workspaceId: string): void {
  if (!isUuid(workspaceId)) throw new Error('a workspace id is not a UUID');
}

function pad(value: number, digits = 16): string {
  return String(value).padStart(digits, '0');
}

function nameOf({ workspace_id, tree_size, root_hash }: StoredHead, epoch: number): string {
  return `${workspace_id}/head-${pad(epoch, 4)}-${pad(tree_size)}-${root_hash}.json`;
}

/** Parsed before it is written: what could not be read back would stop the next start. */
function toStored({ workspaceId, origin, treeSize, rootHash, systemIdentifier }: OutsideHead): StoredHead {
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

function describeTwins(
  heads: readonly Entry[],
  epoch: number,
  origin: string,
  pathOf: (name: string) => string,
): readonly string[] {
  return heads.flatMap((head) => {
    const twins = twinsOf(heads, head);
    if (head.epoch !== epoch || twins.length === 1 || twins[0] !== head) return [];
    const places = twins.map(({ name }) => pathOf(name)).join(' and ');
    return [`the log ${origin} has ${twins.length} roots at size ${head.treeSize}: ${places}`];
  });
}

function parseRedactions(text: string): readonly OutsideRedaction[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { record_id, event_id, payload } = storedRedaction.parse(parseJsonText(line));
      return { recordId: record_id, eventId: event_id, payload };
    });
}

function unreadable(path: string, cause: unknown): HeadError {
  return new HeadError(
    'kept_unreadable',
    `${path} cannot be read or is damaged, so a rollback of the log could go unnoticed; restore the file from a backup`,
    { cause },
  );
}
