import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const pages = await listFiles(['*.md', '.github/*.md', 'docs/**/*.md', '{apps,e2e,libs,tools}/**/*.md']);
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await readFile(join(ROOT, page), 'utf8')] as const)),
);

describe('the documents', () => {
  it('have no link into the repository that leads nowhere', async () => {
    const links = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ page, target })),
    );
    const dead = await Promise.all(links.map(async (link) => ((await leadsSomewhere(link)) ? [] : [link])));
    expect(links.length).toBeGreaterThan(100);
    expect(dead.flat()).toEqual([]);
  });

  it('name no file that is not there', async () => {
    const files = await listFiles(['{apps,docs,e2e,libs,tools}/**/*.{ts,sql,py,mjs}']);
    const named = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/`([a-z][\w./-]*\.(?:ts|sql|py|mjs))`/g)].map(([, name = '']) => ({ page, name })),
    );
    const absent = named.filter(({ name }) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
    expect(absent).toEqual([]);
  });

  it('have every heading that a comment or an error text refers to', async () => {
    const sources = await listFiles(['{apps,e2e,libs,tools}/**/*.{ts,py,mjs}']);
    const references = await Promise.all(
      sources.map(async (source) => {
        const text = await readFile(join(ROOT, source), 'utf8');
        return [...text.matchAll(/\b(docs\/[\w/-]+\.md), "([^"\n]+)"/g)].map(([, page = '', heading = '']) => ({
          source,
          page,
          heading,
        }));
      }),
    );
    const dead = references.flat().filter(({ page, heading }) => !headingsOf(page, /^#+ (.*)$/gm).includes(heading));
    expect(references.flat().length).toBeGreaterThan(8);
    expect(dead).toEqual([]);
  });

  it('have the words of the glossary in order', () => {
    const words = headingsOf('docs/glossary.md', /^### (.*)$/gm).map((word) => word.toLowerCase());
    expect(words).toEqual(words.toSorted());
  });
});

async function listFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  const exclude = (name: string): boolean => name.endsWith('node_modules');
  for await (const file of glob(patterns, { cwd: ROOT, exclude })) files.push(file);
  return files;
}

async function leadsSomewhere({ page, target }: { readonly page: string; readonly target: string }): Promise<boolean> {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  const isThere = await access(join(ROOT, file)).then(
    () => true,
    () => false,
  );
  return (
    isThere &&
    (anchor === undefined ||
      headingsOf(file, /^#+ (.*)$/gm)
        .map(formatAnchor)
        .includes(anchor))
  );
}

function headingsOf(page: string, heading: RegExp): readonly string[] {
  return [...(texts.get(page) ?? '').matchAll(heading)].map(([, text = '']) => text);
}

/** The anchor that readers of Markdown give a heading. */
function formatAnchor(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
