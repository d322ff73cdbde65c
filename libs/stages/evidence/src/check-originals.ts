import { type LedgerFinding, ServiceError } from '@answer-evidence/contracts';
import {
  formatObjectName,
  ObjectMissingError,
  type ObjectStore,
  type OriginalsReader,
  sealedSizeOf,
  type StoredOriginal,
  VaultError,
  type Workspace,
} from '@answer-evidence/ports';

/** What a check of originals has found so far. */
export type OriginalsChecked = {
  /** How many there are, as far as it has come. */
  readonly stored: number;
  /** Those of them that were read whole, each frame of which authenticated, or were found to be damaged. */
  readonly read: number;
  /** The first ones; all are counted. */
  readonly findings: readonly LedgerFinding[];
  readonly findingsTotal: number;
  /** The last one that was come to, in the order of content ids; null before the first. */
  readonly after: string | null;
};

type Options = {
  /** What an earlier check, which was interrupted, has found. */
  readonly before?: OriginalsChecked | undefined;
  /** About so many bytes are read; of those beyond, only the names and sizes are compared. */
  readonly bytesMax: number;
  /** Told after each page. */
  readonly onPage?: (checked: OriginalsChecked) => Promise<void> | void;
};

type Deps = {
  readonly objects: ObjectStore;
  readonly originals: OriginalsReader;
  readonly turn: () => Promise<void>;
};

/** Of findings. */
const LISTED_MAX = 1_000;
const NOTHING_CHECKED: OriginalsChecked = { stored: 0, read: 0, findings: [], findingsTotal: 0, after: null };

/**
 * Reads the object of every original of a workspace, and names those that are missing, or are not what was stored. It
 * ends early where the object store is unavailable: what was not read is no fault.
 */
export async function checkOriginals(deps: Deps, workspace: Workspace, options: Options): Promise<OriginalsChecked> {
  let checked = options.before ?? NOTHING_CHECKED;
  let bytesLeft = options.bytesMax;
  try {
    for (;;) {
      const page = await deps.originals.page(workspace.id, checked.after);
      if (page.length === 0) return checked;
      for (const original of page) {
        await deps.turn();
        const isRead = bytesLeft >= original.sizeBytes;
        bytesLeft -= isRead ? original.sizeBytes : 0;
        const detail = await findDamage(deps, workspace, original, isRead);
        if (detail === ERASED) continue;
        const found = detail === undefined ? [] : [findingOf(original, detail)];
        checked = {
          stored: checked.stored + 1,
          read: checked.read + (isRead || found.length > 0 ? 1 : 0),
          findings: [...checked.findings, ...found].slice(0, LISTED_MAX),
          findingsTotal: checked.findingsTotal + found.length,
          after: original.contentId,
        };
      }
      await options.onPage?.(checked);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'object_store_unavailable') throw error;
    const stored = await deps.originals.count(workspace.id);
    return { ...checked, stored: Math.max(stored, checked.stored) };
  }
}

const ERASED = Symbol('erased while it was read');

/** What is wrong with the object of an original. */
async function findDamage(
  { objects, originals, turn }: Deps,
  workspace: Workspace,
  original: StoredOriginal,
  isRead: boolean,
): Promise<string | typeof ERASED | undefined> {
  const { contentId, sizeBytes, wrappedKey } = original;
  const name = formatObjectName(workspace.id, contentId);
  try {
    const object = await objects.find(name);
    if (object === undefined) throw new ObjectMissingError('no such object');
    if (object.sizeBytes !== sealedSizeOf(sizeBytes)) throw new VaultError('a sealed content has another size');
    if (!isRead) return undefined;
    const key = workspace.vault.openContentKey(contentId, wrappedKey);
    for await (const _ of key.open({ sizeBytes, readSealed: (range) => objects.read(name, range) })) await turn();
    return undefined;
  } catch (error) {
    if (!(error instanceof ObjectMissingError) && !(error instanceof VaultError)) throw error;
    if (!(await originals.isThere(workspace.id, contentId))) return ERASED;
    return error instanceof ObjectMissingError
      ? 'its object is missing from the object store'
      : 'its object was altered in the object store';
  }
}

function findingOf({ assetId, leafIndex }: StoredOriginal, detail: string): LedgerFinding {
  return { check: 'evidence_object', object: `original of asset ${assetId}`, leaf_index: leafIndex, detail };
}
