import { readInput } from './files.ts';
import type { Io } from './io.ts';
import { findErrorCode } from './system-error.ts';
import { UsageError } from './usage-error.ts';

/** What somebody gave to be verified: bundles, each with the name of its file, and what they are verified with. */
type EvidenceFiles = {
  readonly bundles: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Paths of receipts, and of copies of logs. */
  readonly receipts: readonly string[];
  readonly logs: readonly string[];
};

type Sorted = { readonly [Kind in keyof EvidenceFiles]: EvidenceFiles[Kind][number][] };

const PACK = /<script type="application\/json" id="pack">([^<]*)<\/script>/;

/**
 * Tells by their content what files are: bundles, evidence packs, whose bundles are taken out, receipts, and folders
 * with the tiles of a log. What is none of these counts as a bundle, whose verification says what is wrong with it.
 * Throws `UsageError` for a file that cannot be read.
 */
export async function sortEvidence(io: Io, paths: readonly string[]): Promise<EvidenceFiles> {
  const sorted: Sorted = { bundles: [], receipts: [], logs: [] };
  for (const path of paths) {
    if (await isFolder(io, path)) sorted.logs.push(path);
    else sortFile(path, await readInput(io, path), sorted);
  }
  return sorted;
}

function sortFile(path: string, bytes: Uint8Array, { bundles, receipts }: Sorted): void {
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith('c2sp.org/tlog-proof@')) {
    receipts.push(path);
    return;
  }
  const pack = PACK.exec(text);
  if (pack === null) {
    bundles.push({ name: path, bytes });
    return;
  }
  for (const id of namesOf(path, pack[1] ?? '')) {
    const part = text.split(`<script type="application/json" id="${id}">`)[1]?.split('</script>')[0];
    // A part that is missing is no JSON: it fails, and hides no other record.
    bundles.push({ name: `${path} ${id}`, bytes: new TextEncoder().encode(part ?? '') });
  }
}

function namesOf(path: string, manifest: string): readonly string[] {
  try {
    const { bundles } = JSON.parse(manifest) as { readonly bundles?: unknown };
    if (Array.isArray(bundles)) return bundles.filter((name) => /^bundle-[1-9]\d{0,3}$/.test(String(name))).map(String);
  } catch {
    // Said below.
  }
  throw new UsageError(`${path} is an evidence pack whose part "pack" names no bundles; ask for another copy`);
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
