import type { JsonValue } from '@answer-evidence/contracts';
import { JsonError, parseJson } from '@answer-evidence/encoding';
import type { KeptLeaf } from '@answer-evidence/monitor';
import type { Io } from '../io.ts';
import { readEntry, readReceipt } from '../receipt-files.ts';
import { ofFile } from '../system-error.ts';

const RECEIPT = '.tlog-proof';

/**
 * The leaves that a folder keeps receipts of: each `<name>.tlog-proof`, with its entry in `<name>.entry` where that is
 * there, and every proof in a `.json` file: a bundle, the proof of a run, or the response to a creation. A `.json`
 * file without any counts as an empty receipt. Other files are left alone. Throws `UsageError` when something cannot
 * be read.
 */
export async function readKeptFiles(io: Io, folder: string): Promise<readonly KeptLeaf[]> {
  const names = await ofFile(folder, io.files.list(folder));
  const leaves: KeptLeaf[] = [];
  for (const name of names) {
    const path = io.paths.join(folder, name);
    if (name.endsWith(RECEIPT)) {
      const entry = `${name.slice(0, -RECEIPT.length)}.entry`;
      const kept = names.includes(entry) ? { entry: await readEntry(io, path.replace(/\.tlog-proof$/, '.entry')) } : {};
      leaves.push({ name, receipt: await readReceipt(io, path), ...kept });
    } else if (name.endsWith('.json')) {
      leaves.push(...(await readJsonFile(io, path, name)));
    }
  }
  return leaves;
}

async function readJsonFile(io: Io, path: string, name: string): Promise<readonly KeptLeaf[]> {
  const bytes = await ofFile(path, io.files.read(path));
  const found: KeptLeaf[] = [];
  try {
    collect(parseJson(bytes), name, '', found);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  // A bundle that was damaged must be reported, so it counts as a receipt that holds nothing.
  return found.length > 0 ? found : [{ name, receipt: '' }];
}

/** Each object with the proof of a leaf: `{entry, proof}` in bundles, `{receipt, ledger: {entry}}` in responses. */
function collect(value: JsonValue, name: string, place: string, found: KeptLeaf[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item: JsonValue, n) => collect(item, name, `${place}/${n}`, found));
    return;
  }
  const members = value as Readonly<Record<string, JsonValue>>;
  const { entry, proof, receipt, ledger } = members;
  const leaf = `${name}${place === '' ? '' : ` ${place}`}`;
  if (typeof entry === 'string' && typeof proof === 'string') found.push({ name: leaf, receipt: proof, entry });
  if (typeof receipt === 'string' && typeof ledger === 'object' && ledger !== null && !Array.isArray(ledger)) {
    const text = (ledger as Readonly<Record<string, JsonValue>>)['entry'];
    if (typeof text === 'string') found.push({ name: leaf, receipt, entry: text });
  }
  for (const [key, member] of Object.entries(members)) collect(member, name, `${place}/${key}`, found);
}
