import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { layOut } from '../format/lay-out.ts';
import { createPages } from './pages.ts';

/** A generated page as it should be, and as it is in the repository (undefined: not at all). */
export type Page = {
  readonly path: string;
  readonly file: string;
  readonly text: string;
  readonly present: string | undefined;
};

/** Every generated page, laid out as the rest of the repository is. */
export async function renderPages(): Promise<readonly Page[]> {
  return Promise.all(Object.entries(createPages()).map(([path, source]) => renderPage(path, source)));
}

async function renderPage(path: string, source: string): Promise<Page> {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  return { path, file, text: await layOut(file, source), present: await findText(file) };
}

async function findText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
