import type { JsonValue } from '@answer-evidence/contracts';
import { asObject, parseJson, readOr } from '@answer-evidence/encoding';
import type { KeptLeaf } from '@answer-evidence/monitor';
import type { Io } from '../io.ts';
import { readEntry, readReceipt } from '../receipt-files.ts';
import { ofFile } from '../system-error.ts';
import { findOtherCore, findOtherObject } from './compare-kept.ts';

const RECEIPT = '.tlog-proof';
const REQUEST = '.request.json';

/**
 * The leaves that a folder keeps receipts of: each `<name>.tlog-proof`, with its entry in `<name>.entry` where that is
 * there, and every proof in a `.json` file: a bundle, the proof of a run, or the response to a creation. A `.json`
 * file without any counts as an empty receipt. A response is compared with its entry, and with the body of its create
 * in `<name>.request.json`, where that is kept beside it. Other files are left alone. Throws `UsageError` when one of
 * them cannot be read.
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
    } else if (name.endsWith('.json') && !name.endsWith(REQUEST)) {
      const request = `${name.slice(0, -'.json'.length)}${REQUEST}`;
      const sent = names.includes(request) ? await readJson(io, io.paths.join(folder, request)) : undefined;
      leaves.push(...(await readJsonFile(io, path, name, sent)));
    }
  }
  return leaves;
}

async function readJsonFile(
  io: Io,
  path: string,
  name: string,
  request: JsonValue | undefined,
): Promise<readonly KeptLeaf[]> {
  const found: KeptLeaf[] = [];
  collect(await readJson(io, path), name, '', request, found);
  // A bundle that was damaged must be reported, so it counts as a receipt that holds nothing.
  return found.length > 0 ? found : [{ name, receipt: '' }];
}

/** The value of a file; a damaged one is null, which no response and no request is. */
async function readJson(io: Io, path: string): Promise<JsonValue> {
  const bytes = await ofFile(path, io.files.read(path));
  return readOr(() => parseJson(bytes), null);
}

/** Each object with the proof of a leaf: `{entry, proof}` in bundles, `{receipt, ledger: {entry}}` in responses. */
function collect(
  value: JsonValue,
  name: string,
  place: string,
  request: JsonValue | undefined,
  found: KeptLeaf[],
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item: JsonValue, n) => collect(item, name, `${place}/${n}`, undefined, found));
    return;
  }
  const members = asObject(value);
  const { entry, proof, receipt, ledger, core } = members;
  const leaf = `${name}${place === '' ? '' : ` ${place}`}`;
  if (typeof entry === 'string' && typeof proof === 'string')
    found.push(keptLeaf(leaf, proof, entry, findOtherCore(core, entry)));
  const { entry: text } = asObject(ledger);
  if (typeof receipt === 'string' && typeof text === 'string')
    found.push(keptLeaf(leaf, receipt, text, findOtherObject(members, text, request)));
  for (const [key, member] of Object.entries(members)) collect(member, name, `${place}/${key}`, undefined, found);
}

function keptLeaf(name: string, receipt: string, entry: string, fault: string | undefined): KeptLeaf {
  return { name, receipt, entry, ...(fault === undefined ? {} : { fault }) };
}
