import type { AnchorConfig } from '@answer-evidence/contracts';
import { equalBytes, formatHex } from '@answer-evidence/encoding';
import { keysSigning, readRoot } from '@answer-evidence/ledger';
import { type Checkpoint, NoteError, parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import {
  type AnchorReading,
  type PublishedNote,
  type TreeSigner,
  VaultError,
  type Workspace,
} from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { inTurns } from '../in-turns.ts';
import { withSecret } from './anchor-target.ts';
import { examinePlace } from './examine-places.ts';

const LOGS_AT_ONCE = 4;

/** The folder of this machine, where no policy names it. */
const FILE: AnchorConfig = { id: 'file', type: 'file' };

/** When published anchors are read: the process starts, or a round of anchoring begins. */
type Occasion = 'start' | 'round';

/**
 * Holds all logs against what is published of them, before anything is signed. What goes wrong with one log goes wrong
 * again in its rounds, which tell of it; a place that does not answer in time holds up no start.
 */
export async function hearAllAnchors(deps: TrustDeps, signal: AbortSignal): Promise<void> {
  // One question for all: of the others nobody has set a policy that could name an anchor.
  const withPolicy = new Set((await deps.work.withTrustPolicy()).map(({ id }) => id));
  await inTurns(await deps.directory.list(), LOGS_AT_ONCE, async (workspace) => {
    // What there was no time for has not failed.
    if (signal.aborted) return;
    const configs = withPolicy.has(workspace.id) ? await readConfigs(deps, workspace) : [FILE];
    await hear(deps, workspace, configs, 'start', signal).catch(() => undefined);
  });
}

/**
 * Holds a log against the newest checkpoints of it that are published outside of the database, and stops the log when
 * it does not extend one of them. Only a checkpoint that is signed by the log's own keys counts: anyone who can write
 * where the anchors are can put anything else there. A place that cannot be read proves nothing, and is told of.
 */
export async function hearAnchors(
  deps: TrustDeps,
  workspace: Workspace,
  occasion: Occasion,
  signal: AbortSignal,
): Promise<void> {
  await hear(deps, workspace, await readConfigs(deps, workspace), occasion, signal);
}

async function hear(
  deps: TrustDeps,
  workspace: Workspace,
  configs: readonly AnchorConfig[],
  occasion: Occasion,
  signal: AbortSignal,
): Promise<void> {
  for (const config of configs) {
    if (deps.heads.isStopped(workspace.id)) return;
    const reading = await read(deps, workspace, config, signal);
    // A place has not failed a process that stops.
    if (reading.kind === 'failed' && signal.aborted && occasion === 'round') return;
    const problem =
      reading.kind === 'failed' ? reading.detail : await holdAgainst(deps, workspace, config, reading.notes);
    deps.onAnchorHeard({ workspace, anchorId: config.id, problem });
    // In a round the attempt itself tells.
    if (occasion !== 'start' || reading.kind === 'failed') continue;
    const unusable = await examinePlace(deps, workspace, config, signal);
    if (unusable !== undefined) deps.onAnchorUnusable(unusable);
  }
}

/**
 * The anchors of the policy, and the folder of this machine in any case: a database that was rolled back has its policy
 * of then, and one that was altered may have none that can be read.
 */
async function readConfigs({ trust }: TrustDeps, { id }: Workspace): Promise<readonly AnchorConfig[]> {
  const anchors = await trust.policy(id).then(
    ({ values }) => values.anchors,
    () => [],
  );
  return withFile(anchors);
}

function withFile(anchors: readonly AnchorConfig[]): readonly AnchorConfig[] {
  const file = anchors.find(({ type }) => type === 'file') ?? FILE;
  return [file, ...anchors.filter(({ type }) => type !== 'file')];
}

/**
 * Whose places are still read for a log, and since when somebody else may have read them: what was heard of another
 * anchor, or before the newest round, says nothing any more. Any process may have begun that round.
 */
export async function readAnchorsHeard(
  { trust }: Pick<TrustDeps, 'trust'>,
  { id }: Workspace,
): Promise<{ readonly anchorIds: ReadonlySet<string>; readonly sinceMicros: number }> {
  const { values } = await trust.policy(id);
  const [newest] = await trust.newestAnchors(id);
  return {
    anchorIds: new Set(withFile(values.anchors).map((config) => config.id)),
    sinceMicros: newest?.anchor.created_at ?? 0,
  };
}

async function read(
  deps: TrustDeps,
  workspace: Workspace,
  config: AnchorConfig,
  signal: AbortSignal,
): Promise<AnchorReading> {
  try {
    const target = await withSecret(deps, workspace, config);
    return await deps.anchors[config.type].readNewest({ config: target, origin: workspace.origin, signal });
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return { kind: 'failed', detail: 'its secret was altered in the database; send the policy again with it' };
  }
}

/** What is wrong with the notes themselves, undefined for nothing. Stops the log for one that it does not extend. */
async function holdAgainst(
  deps: TrustDeps,
  workspace: Workspace,
  { id }: AnchorConfig,
  notes: readonly PublishedNote[],
): Promise<string | undefined> {
  if (notes.length === 0) return undefined;
  const { keys } = await deps.logs.signer(workspace.id);
  let strangers = 0;
  for (const { note, place } of notes) {
    const checkpoint = await verifyOwn(deps, workspace, keys, note);
    if (checkpoint === undefined) {
      strangers += 1;
      continue;
    }
    // Read after the note: whatever is published was committed before that.
    const { head, nodes } = await deps.logs.snapshot(workspace.id);
    const { size: treeSize, root } = checkpoint;
    if (treeSize <= head.tree_size && equalBytes(await readRoot(nodes, treeSize), root)) continue;
    const claim = { party: `the anchor "${id}"`, treeSize, rootHash: formatHex(root), seenAt: place };
    await deps.heads.dispute(workspace, { ...claim, heldSize: head.tree_size });
    return undefined;
  }
  return strangers === 0
    ? undefined
    : `${strangers} of its ${notes.length} newest notes are not signed by the keys that the log had then`;
}

/** The checkpoint of a note that a key of the log at that size has signed; undefined for anything else. */
async function verifyOwn(
  { verifySignature }: TrustDeps,
  { origin }: Workspace,
  keys: TreeSigner['keys'],
  text: string,
): Promise<Checkpoint | undefined> {
  try {
    const note = parseNote(text);
    const checkpoint = parseCheckpoint(note.text);
    const vkeys = keysSigning(keys, checkpoint.size).map(({ vkey }) => parseVkey(vkey));
    await verifyNote(note, vkeys, verifySignature);
    return checkpoint.origin === origin ? checkpoint : undefined;
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
