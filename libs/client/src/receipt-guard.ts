import type { TrustFile } from '@answer-evidence/contracts';
import { concatBytes } from '@answer-evidence/encoding';
import { leafHash, MerkleError, verifyInclusion } from '@answer-evidence/merkle';
import { type Checkpoint, NoteError, parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { compareTrees, createTileTree, findPins, type ReadTlog, verifyPinned } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import { type CheckpointStore, createMemoryStore } from './checkpoint-store.ts';
import { ApiError, UnreachableError } from './errors.ts';
import { ReceiptError } from './receipt-error.ts';
import type { OpenStream } from './transport.ts';
import { verifySignature } from './verify-signature.ts';

/** What makes a client verify every receipt that it is given. */
export type ReceiptOptions = {
  /** The logs that are believed, with their keys. It must come over another channel than the receipts. */
  readonly trust: TrustFile;
  /** Where the newest verified checkpoint of each log is remembered; default: as long as the process lives. */
  readonly store?: CheckpointStore;
};

/** What a record shows of its place in the log. */
export type ShownReceipt = { readonly receipt: string; readonly ledger: { readonly entry: string } };

/**
 * Verifies a receipt, and that its tree and the newest one that was verified before belong to one log. Remembers the
 * larger of the two. Throws `ReceiptError`, and what the store throws.
 */
export type ReceiptGuard = (shown: ShownReceipt) => Promise<void>;

/** A tile has 256 hashes of 32 bytes. */
const TILE_MAX_BYTES = 8_192;

/** A guard that reads what it needs of the log from the same host. One receipt is compared at a time. */
export function createReceiptGuard({ trust, store }: ReceiptOptions, openStream: OpenStream): ReceiptGuard {
  const checkpoints = store ?? createMemoryStore();
  let turn: Promise<void> = Promise.resolve();
  return (shown) => {
    // What is remembered must not change between being compared with and being replaced.
    const judged = turn.then(() => judge(shown, trust, checkpoints, openStream));
    turn = judged.catch(() => undefined);
    return judged;
  };
}

async function judge(
  { receipt, ledger }: ShownReceipt,
  trust: TrustFile,
  store: CheckpointStore,
  openStream: OpenStream,
): Promise<void> {
  const { given, checkpoint } = await verifyAlone(receipt, ledger.entry, trust);
  const remembered = await store.load(checkpoint.origin);
  if (remembered === undefined) return store.save(checkpoint.origin, given);
  const evidence = { receipt, given, remembered };
  const before = await readRemembered(remembered, checkpoint.origin, trust).catch((cause: unknown) => {
    if (!(cause instanceof NoteError) && !(cause instanceof CheckFailure)) throw cause;
    const remedy = 'restore it or the trust file from a backup, or remove it to begin anew';
    const message = `what is remembered of ${checkpoint.origin} is not a checkpoint that its pinned keys signed; ${remedy}`;
    throw new ReceiptError('unproven', message, { ...evidence, cause });
  });
  const [smaller, larger] = before.size <= checkpoint.size ? [before, checkpoint] : [checkpoint, before];
  const comparison = await compareTrees(
    smaller,
    larger,
    createTileTree(createReader(openStream, checkpoint.origin), larger.size),
  ).catch((cause: unknown) => {
    const isAnswered = cause instanceof CheckFailure || cause instanceof ApiError || cause instanceof UnreachableError;
    if (!isAnswered) throw cause;
    const sizes = `${smaller.size} leaves is the beginning of its tree of ${larger.size}`;
    throw new ReceiptError('unproven', `the log does not prove that its tree of ${sizes}`, { ...evidence, cause });
  });
  if (comparison.kind === 'fork') {
    const sizes = `its trees of ${smaller.size} and of ${larger.size} leaves are not of one history`;
    throw new ReceiptError('inconsistent', `${checkpoint.origin} has signed a fork: ${sizes}`, {
      ...evidence,
      prefix: comparison.prefix,
    });
  }
  if (checkpoint.size > before.size) await store.save(checkpoint.origin, given);
}

/** The remembered checkpoint. A store may be damaged, or hold what no key of the log has signed. */
async function readRemembered(remembered: string, origin: string, trust: TrustFile): Promise<Checkpoint> {
  const note = parseNote(remembered);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== origin) throw new CheckFailure(`it is of the log ${checkpoint.origin}`);
  await verifyPinned(note, checkpoint, findPins(trust, origin) ?? [], verifySignature, 'ed25519-keys');
  return checkpoint;
}

/** What a receipt proves by itself. */
async function verifyAlone(
  receipt: string,
  entry: string,
  trust: TrustFile,
): Promise<{ readonly given: string; readonly checkpoint: Checkpoint }> {
  let given: string | undefined;
  try {
    const proof = parseTlogProof(receipt);
    given = proof.checkpoint;
    const note = parseNote(given);
    const checkpoint = parseCheckpoint(note.text);
    const pins = findPins(trust, checkpoint.origin);
    const shown = { receipt, given };
    if (pins === undefined)
      throw new ReceiptError('untrusted', `the trust file does not name the log ${checkpoint.origin}`, shown);
    await verifyPinned(note, checkpoint, pins, verifySignature, 'ed25519-keys').catch((cause: unknown) => {
      if (!(cause instanceof NoteError) && !(cause instanceof CheckFailure)) throw cause;
      throw new ReceiptError('untrusted', cause.message, shown);
    });
    verifyInclusion(proof.index, checkpoint.size, leafHash(entry), proof.hashes, checkpoint.root);
    return { given, checkpoint };
  } catch (error) {
    if (!(error instanceof NoteError) && !(error instanceof MerkleError)) throw error;
    throw new ReceiptError('invalid', error.reason, { receipt, ...(given === undefined ? {} : { given }) });
  }
}

/** Tiles of the log of that origin, `<host>/<workspace>/<log>`, from the client's own host. */
function createReader(openStream: OpenStream, origin: string): ReadTlog {
  const workspace = origin.split('/').at(-2) ?? '';
  return async (path) => {
    try {
      const pieces: Uint8Array[] = [];
      let size = 0;
      const url = `/tlog/${encodeURIComponent(workspace)}/${path}`;
      for await (const piece of await openStream({ method: 'GET', path: url, repeat: 'safe' })) {
        size += piece.length;
        if (size > TILE_MAX_BYTES) throw new CheckFailure(`${path} is larger than a tile`);
        pieces.push(piece);
      }
      return concatBytes(...pieces);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
}
