import type { ReadTlog } from '@answer-evidence/verify';

/** A file that was given, with its bytes. */
export type GivenFile = { readonly name: string; readonly bytes: Uint8Array };

/** What was given to verify, and with what. */
export type Given = {
  readonly bundle?: GivenFile;
  readonly trust?: GivenFile;
  readonly receipt?: GivenFile;
  readonly log?: { readonly name: string; readonly read: ReadTlog };
};

/** A larger file is not read: a page has less memory than that. */
const FILE_MAX_BYTES = 512 * 1024 ** 2;
const RECEIPT_START = 'c2sp.org/tlog-proof@v1\n';
const KINDS: ReadonlyMap<string, keyof Given> = new Map([
  ['answer-evidence-bundle/v1', 'bundle'],
  ['answer-evidence-bundle/v2', 'bundle'],
  ['answer-evidence-trust/v1', 'trust'],
]);

/** Adds files to what was given before, by what is in them. `refused` says of each other file why it is not used. */
export async function addFiles(
  given: Given,
  files: readonly File[],
): Promise<{ readonly given: Given; readonly refused: readonly string[] }> {
  let now = given;
  const refused: string[] = [];
  for (const file of files) {
    if (file.size > FILE_MAX_BYTES) {
      refused.push(`${file.name} is larger than 512 MiB; use the command line for it.`);
      continue;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const kind = findKind(bytes);
    if (kind === undefined)
      refused.push(`${file.name} is neither a proof bundle, nor a trust file, nor a receipt (.tlog-proof).`);
    else now = { ...now, [kind]: { name: file.name, bytes } };
  }
  return { given: now, refused };
}

/** Adds the copy of a log that a folder holds; `refused` says why it holds none. */
export function addLog(
  given: Given,
  files: readonly File[],
): { readonly given: Given; readonly refused: readonly string[] } {
  const byPath = new Map<string, File>();
  for (const file of files) {
    const at = file.webkitRelativePath.search(/(?:^|\/)tile\//);
    if (at >= 0) byPath.set(file.webkitRelativePath.slice(at).replace(/^\//, ''), file);
  }
  if (byPath.size === 0)
    return { given, refused: ['The folder holds no copy of a log: it has no folder "tile" in it.'] };
  const name = files[0]?.webkitRelativePath.split('/')[0] ?? '';
  const read: ReadTlog = async (path) => {
    const file = byPath.get(path);
    return file === undefined ? undefined : new Uint8Array(await file.arrayBuffer());
  };
  return { given: { ...given, log: { name, read } }, refused: [] };
}

function findKind(bytes: Uint8Array): keyof Given | undefined {
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith(RECEIPT_START)) return 'receipt';
  // Damaged JSON still says what it was meant to be, and then its checks say what is wrong with it.
  const format = /"format"\s*:\s*"([^"]{1,64})"/.exec(text)?.[1];
  return format === undefined ? undefined : KINDS.get(format);
}
