import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { ConsoleFiles, DocsFiles } from '@answer-evidence/stage-workspace';

/** What pages are made of. Anything else in a folder is not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** A file that is served. */
type ListedFile = { readonly path: string; readonly contentType: string };

/** Reads the built console once, whole: no request then touches the disk. Without the folder, there is no file. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const files = new Map<string, { readonly contentType: string; readonly bytes: Uint8Array }>();
  for (const [name, { path, contentType }] of await listFiles(folder))
    files.set(name, { contentType, bytes: await readFile(path) });
  return { find: (path) => files.get(path) };
}

/**
 * Lists the built documentation once: only what was there at the start is served, each file read when it is asked for.
 * A file that was taken away since is none. Without the folder, there is no file.
 */
export async function listDocsFiles(folder: string): Promise<DocsFiles> {
  const files = await listFiles(folder);
  return {
    isBuilt: files.size > 0,
    async find(name) {
      const file = files.get(name);
      const bytes = file === undefined ? undefined : await unlessAbsent(readFile(file.path));
      return file === undefined || bytes === undefined ? undefined : { contentType: file.contentType, bytes };
    },
  };
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, ListedFile>> {
  const entries = (await unlessAbsent(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  return new Map(
    entries.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const contentType = CONTENT_TYPES[extname(path)];
      if (!entry.isFile() || contentType === undefined) return [];
      return [[relative(folder, path).replaceAll(sep, '/'), { path, contentType }] as const];
    }),
  );
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
