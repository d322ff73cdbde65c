import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { ConsoleFiles } from '@answer-evidence/stage-workspace';

/** What the pages are made of. Anything else in the folder is not served. */
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

/** Reads the built console once, whole: no request then touches the disk. Without the folder, there is no file. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const files = new Map<string, { readonly contentType: string; readonly bytes: Uint8Array }>();
  for (const path of await listFiles(folder)) {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined) continue;
    files.set(relative(folder, path).replaceAll(sep, '/'), { contentType, bytes: await readFile(path) });
  }
  return { find: (path) => files.get(path) };
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
