import { findEvidence, type KeptEntry, type Pack } from '@answer-evidence/verify';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { findErrorCode } from '../system-error.ts';
import { UsageError } from '../usage-error.ts';

type Named = { readonly name: string };

/** What somebody gave to be verified, by its kind, each with the name of its file. */
export type EvidenceFiles = {
  readonly bundles: readonly (Named & { readonly bytes: Uint8Array })[];
  readonly packs: readonly (Named & { readonly bytes: Uint8Array; readonly pack: Pack })[];
  readonly runs: readonly (Named & { readonly bytes: Uint8Array })[];
  readonly receipts: readonly (Named & { readonly receipt: string })[];
  readonly checkpoints: readonly (Named & { readonly checkpoint: string })[];
  readonly entries: readonly (Named & { readonly entry: string })[];
  readonly responses: readonly (Named & { readonly response: KeptEntry })[];
  /** Folders and URLs of logs. */
  readonly logs: readonly string[];
  readonly others: readonly (Named & { readonly reason: string })[];
};

type Sorted = { readonly [Kind in keyof EvidenceFiles]: EvidenceFiles[Kind][number][] };

/** Tells by their content what files are. Throws `UsageError` for a file that cannot be read, and for a trust file. */
export async function sortEvidence(io: Io, paths: readonly string[]): Promise<EvidenceFiles> {
  const sorted: Sorted = {
    bundles: [],
    packs: [],
    runs: [],
    receipts: [],
    checkpoints: [],
    entries: [],
    responses: [],
    logs: [],
    others: [],
  };
  for (const path of paths) {
    if (/^https?:\/\//.test(path) || (await isFolder(io, path))) sorted.logs.push(path);
    else sortFile(path, await readInput(io, path), sorted);
  }
  return sorted;
}

function sortFile(name: string, bytes: Uint8Array, sorted: Sorted): void {
  const evidence = findEvidence(bytes);
  switch (evidence.kind) {
    case 'bundle':
      sorted.bundles.push({ name, bytes });
      return;
    case 'run':
      sorted.runs.push({ name, bytes });
      return;
    case 'pack':
      sorted.packs.push({ name, bytes, pack: evidence.pack });
      return;
    case 'receipt':
      sorted.receipts.push({ name, receipt: evidence.receipt });
      return;
    case 'checkpoint':
      sorted.checkpoints.push({ name, checkpoint: evidence.checkpoint });
      return;
    case 'entry':
      sorted.entries.push({ name, entry: evidence.entry });
      return;
    case 'response':
      sorted.responses.push({ name, response: evidence.response });
      return;
    case 'trust':
      // A sender of evidence may send keys along. Which are believed is said by their owner, and by no file itself.
      throw new UsageError(`${name} is a trust file, which says whom you trust: name it by --trust, if you do`);
    case 'other':
      sorted.others.push({ name, reason: evidence.reason });
      return;
    default:
      evidence satisfies never;
  }
}

async function isFolder(io: Io, path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    await io.files.read(path);
    return false;
  } catch (error) {
    return findErrorCode(error) === 'EISDIR';
  }
}
