import { type Evidence, findEvidence, type ReadTlog } from '@answer-evidence/verify';

/** A file that was given, with its bytes. */
export type GivenFile = { readonly name: string; readonly bytes: Uint8Array };

/** What was given to verify, and with what. */
export type Given = {
  /** Of one name, the newest. */
  readonly evidence: readonly (GivenFile & { readonly is: Evidence })[];
  readonly trust?: GivenFile;
  readonly log?: { readonly name: string; readonly read: ReadTlog };
};

/** Files that were taken; `refused` says of each other file why it is not used. */
export type Taken = { readonly given: Given; readonly refused: readonly string[] };

/** A larger file is not read: a page has less memory than that. */
const FILE_MAX_BYTES = 512 * 1024 ** 2;

/** Adds files to what was given before, by what is in them. */
export async function addFiles(given: Given, files: readonly File[]): Promise<Taken> {
  let now = given;
  const refused: string[] = [];
  for (const file of files) {
    const { name, size } = file;
    if (size > FILE_MAX_BYTES) {
      refused.push(`${name} is larger than 512 MiB; use the command line for it.`);
      continue;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const is = findEvidence(bytes);
    if (is.kind === 'other') refused.push(`${name} is not used: ${is.reason}.`);
    else if (is.kind === 'trust') now = { ...now, trust: { name, bytes } };
    else now = { ...now, evidence: [...now.evidence.filter((one) => one.name !== name), { name, bytes, is }] };
  }
  return { given: now, refused };
}

/** A file of a folder, with its path in it. */
export type FolderFile = { readonly path: string; readonly file: File };

/** Adds the copy of a log that a folder holds. */
export function addLog(given: Given, files: readonly FolderFile[]): Taken {
  const byPath = new Map<string, File>();
  for (const { path, file } of files) {
    const at = path.search(/(?:^|\/)(?:tile\/|checkpoint$)/);
    if (at >= 0) byPath.set(path.slice(at).replace(/^\//, ''), file);
  }
  if (![...byPath.keys()].some((path) => path.startsWith('tile/')))
    return { given, refused: ['The folder holds no copy of a log: it has no folder "tile" in it.'] };
  const name = files[0]?.path.replace(/^\//, '').split('/')[0] ?? '';
  const read: ReadTlog = async (path) => {
    const file = byPath.get(path);
    return file === undefined ? undefined : new Uint8Array(await file.arrayBuffer());
  };
  return { given: { ...given, log: { name, read } }, refused: [] };
}

/** The files of a folder that was chosen. */
export function listChosen(files: readonly File[]): readonly FolderFile[] {
  return files.map((file) => ({ path: file.webkitRelativePath, file }));
}

/** What was dropped: files, and the files of folders. To be asked at once: a browser forgets it after the event. */
export async function listDropped(transfer: DataTransfer): Promise<{
  readonly files: readonly File[];
  readonly folders: readonly FolderFile[];
}> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = (await Promise.all(entries.map(listEntry))).flat();
  const isFolder = (path: string) => path.lastIndexOf('/') > 0;
  return {
    files: found.filter(({ path }) => !isFolder(path)).map(({ file }) => file),
    folders: found.filter(({ path }) => isFolder(path)),
  };
}

async function listEntry(entry: FileSystemEntry): Promise<readonly FolderFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: FolderFile[] = [];
  // A reader gives some entries each time it is asked, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    for (const one of some) all.push(...(await listEntry(one)));
  }
}
