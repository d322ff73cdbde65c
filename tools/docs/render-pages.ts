import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { layOut } from '../format/lay-out.ts';
import { createPages, createSections, type Section } from './pages.ts';

/** A generated page as it should be, and as it is in the repository (undefined: not at all). */
export type Page = {
  readonly path: string;
  readonly file: string;
  readonly text: string;
  readonly present: string | undefined;
};

/** Every generated page, and every page with a generated part, laid out as the rest of the repository is. */
export async function renderPages(): Promise<readonly Page[]> {
  return Promise.all([
    ...Object.entries(createPages()).map(([path, source]) => renderPage(path, () => source)),
    ...createSections().map((section) => renderPage(section.path, (present) => replaceSection(section, present))),
  ]);
}

async function renderPage(path: string, write: (present: string | undefined) => string): Promise<Page> {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const present = await findText(file);
  const text = await layOut(file, write(present));
  return { path, file, text, present };
}

/** Throws when the page has no place for it. */
function replaceSection({ path, name, text }: Section, present = ''): string {
  const marks = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`] as const;
  const [begin, end] = marks.map((mark) => present.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`${path} has no ${marks.join(' and ')}`);
  return `${present.slice(0, begin)}${marks[0]}\n\n${text}\n\n${present.slice(end)}`;
}

async function findText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
