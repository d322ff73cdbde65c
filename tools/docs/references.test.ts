import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findDecisionFaults, isBoundBy } from './decision-faults.ts';
import {
  fileOfLabel,
  findCitations,
  findCitedDecisions,
  findLinks,
  findPaths,
  formatAnchor,
  headingsOf,
  resolvePath,
} from './references.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is installed, built or written at work. */
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.nx', '.data']);
/** Folders that say what they hold wherever they are. */
const NOT_NAMED = new Set(['src', 'fixtures']);
/**
 * Folders that hold packages: they and the packages in them are in the tree, and so are the folders of code of a
 * package.
 */
const PLACES = [
  'apps',
  'libs',
  'libs/adapters',
  'libs/domain',
  'libs/formats',
  'libs/stages',
  'packages',
  'e2e',
  'tools',
];
const TREE = 'docs/architecture/folders.md';
const DECISIONS = 'docs/decisions';

const folders = new Set<string>();
const files = new Set<string>();
for await (const entry of glob(['**/*', '.*', '.ci/**/*', '.github/**/*'], {
  cwd: ROOT,
  withFileTypes: true,
  exclude: ({ name }) => NOT_OURS.has(name),
})) {
  const path = join(entry.parentPath, entry.name).slice(ROOT.length);
  (entry.isDirectory() ? folders : files).add(path);
}
const paths = new Set([...files, ...folders]);
const pages = await readAll([...files].filter((file) => file.endsWith('.md')));

describe('the pages of the repository', () => {
  it('have no link into the repository that leads nowhere', () => {
    const links = [...pages].flatMap(([page, text]) => findLinks(text).map((link) => ({ page, ...link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ page, target }) => !leadsSomewhere(page, target))).toEqual([]);
  });

  it('call a file in a link by its name', () => {
    const links = [...pages].flatMap(([page, text]) => findLinks(text).map((link) => ({ page, ...link })));
    const misnamed = links.filter(({ label, target }) => {
      const name = fileOfLabel(label);
      return name !== undefined && !`/${target.split('#')[0]}`.endsWith(`/${name}`);
    });
    expect(misnamed).toEqual([]);
  });

  it('name no file and no folder that is not there, and each so that one only is meant', () => {
    const named = [...pages].flatMap(([page, text]) => findPaths(text).map((path) => ({ page, path })));
    const unclear = named
      .filter(({ path }) => !path.split('/').some((name) => NOT_OURS.has(name)))
      .map(({ page, path }) => ({ page, path, found: resolvePath(path, page, paths) }))
      .filter(({ found }) => found.length !== 1);
    expect(named.length).toBeGreaterThan(5);
    expect(unclear).toEqual([]);
  });

  it('have the words of the glossary in order', () => {
    const glossary = pages.get('docs/glossary.md') ?? '';
    const words = [...glossary.matchAll(/^### (.*)$/gm)].map(([, word = '']) => word.toLowerCase());
    expect(words.length).toBeGreaterThan(50);
    expect(words).toEqual(words.toSorted());
  });
});

describe('what sources cite of the pages', () => {
  const isSource = (file: string): boolean => /\.(ts|py|sql|mjs)$/.test(file) && !file.startsWith('tools/docs/');

  it('is a decision only where it binds the file', async () => {
    const sources = await readAll([...files].filter(isSource));
    const cited = [...sources].flatMap(([file, text]) => findCitedDecisions(text).map((number) => ({ file, number })));
    const decisionOf = (number: string) =>
      [...pages].find(([page]) => page.startsWith(`${DECISIONS}/${number}-`))?.[1] ?? '';
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter(({ file, number }) => !isBoundBy(decisionOf(number), file))).toEqual([]);
  });

  it('is there', async () => {
    const sources = await readAll([...files].filter(isSource));
    const cited = [...sources].flatMap(([file, text]) =>
      findCitations(text).map((citation) => ({ file, ...citation })),
    );
    const absent = cited.filter(({ page, section }) => {
      const headings = headingsOf(pages.get(page) ?? '');
      return !headings.some((heading) => heading === section || heading.startsWith(`${section}. `));
    });
    expect(cited.length).toBeGreaterThan(5);
    expect(absent).toEqual([]);
  });
});

describe(`the tree of folders in ${TREE}`, () => {
  const named = readTree(pages.get(TREE) ?? '');

  it('names no folder that is not there', () => {
    expect(named.filter((path) => !folders.has(path))).toEqual([]);
  });

  it('names every package and every folder of code in one', () => {
    const packages = PLACES.flatMap(childrenOf).filter((path) => !PLACES.includes(path));
    const parts = packages.flatMap((path) => childrenOf(`${path}/src`));
    const known = new Set(named);
    expect([...packages, ...parts].filter((path) => !known.has(path))).toEqual([]);
  });
});

describe('the index of decisions', () => {
  const decisions = [...pages.keys()].filter((page) => /^docs\/decisions\/\d{4}-[\w-]+\.md$/.test(page)).toSorted();

  it('lists every decision once, by its number and title, in order', () => {
    const rows = [
      ...(pages.get(`${DECISIONS}/README.md`) ?? '').matchAll(/^\| (\d{4}) +\| \[(.*)\]\((.*?)\) +\|$/gm),
    ].map(([, number = '', title = '', target = '']) => `${target} # ${number}. ${title}`);
    const titles = decisions.map((page) => `${page.slice(DECISIONS.length + 1)} ${pages.get(page)?.split('\n')[0]}`);
    expect(rows).toEqual(titles);
  });

  it('has each number once', () => {
    const numbers = decisions.map((page) => page.slice(DECISIONS.length + 1).slice(0, 4));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it('has pages with a date, a status, and the files and folders that they bind, which are there', () => {
    const faulty = decisions
      .map((page) => ({ page, faults: findDecisionFaults(pages.get(page) ?? '', paths) }))
      .filter(({ faults }) => faults.length > 0);
    expect(faulty).toEqual([]);
  });
});

describe('reading a page', () => {
  it('finds what is named as a path, and nothing else', () => {
    const page = 'see `libs/a/`, `prepare/x.ts`, [`y.ts`](y.ts), `y.test.ts`, `/v1/traces`, `logs/v0`, `a/b.json`\n';
    expect(findPaths(`${page}\`\`\`sh\ncat \`tools/z\`\n\`\`\`\n`)).toEqual(['libs/a/', 'prepare/x.ts', 'y.test.ts']);
  });

  it('resolves a path from the root, below libs and beside the page, and a name alone to all that have it', () => {
    const known = new Set(['libs/ports/x.ts', 'libs/domain/note/x.ts', 'apps/a/src/z.ts']);
    expect(resolvePath('ports/x.ts', 'README.md', known)).toEqual(['libs/ports/x.ts']);
    expect(resolvePath('note/x.ts', 'README.md', known)).toEqual(['libs/domain/note/x.ts']);
    expect(resolvePath('src/z.ts', 'apps/a/README.md', known)).toEqual(['apps/a/src/z.ts']);
    expect(resolvePath('prepare/x.ts', 'docs/a.md', known)).toEqual([]);
    expect(resolvePath('x.ts', 'docs/a.md', known)).toHaveLength(2);
  });

  it('finds the decisions that a source cites, also over lines of a comment', () => {
    const source = ' * Why: decision 0006.\n * And by decisions\n * 0088, 0101 and 0102, not by decisions of 2026\n';
    expect(findCitedDecisions(source)).toEqual(['0006', '0088', '0101', '0102']);
  });

  it('finds what a source cites', () => {
    expect(findCitations('docs/a.md, "Two words" and docs/b/c.md, sections 7 and 8; docs/d.md')).toEqual([
      { page: 'docs/a.md', section: 'Two words' },
      { page: 'docs/b/c.md', section: '7' },
      { page: 'docs/b/c.md', section: '8' },
    ]);
  });
});

async function readAll(names: readonly string[]): Promise<Map<string, string>> {
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(ROOT, name), 'utf8')] as const)),
  );
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '');
  if (!paths.has(file)) return false;
  return (
    anchor === undefined ||
    headingsOf(pages.get(file) ?? '')
      .map(formatAnchor)
      .includes(anchor)
  );
}

/** The paths of the block of text that begins with `apps/`, which says by two blanks per level what is in what. */
function readTree(page: string): readonly string[] {
  const block = /```text\n(apps\/\n[^]*?\n)```/.exec(page)?.[1] ?? '';
  const above: string[] = [];
  return block.split('\n').flatMap((line) => {
    const [, indent = '', folder] = /^( *)(\S+)\/(?: |$)/.exec(line) ?? [];
    if (folder === undefined) return [];
    above.splice(indent.length / 2, Infinity, folder);
    return [above.join('/')];
  });
}

function childrenOf(path: string): readonly string[] {
  return [...folders].filter((folder) => {
    const name = folder.slice(path.length + 1);
    return folder.startsWith(`${path}/`) && !name.includes('/') && !NOT_NAMED.has(name);
  });
}
