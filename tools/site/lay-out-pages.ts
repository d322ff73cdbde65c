import { copyFile, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { readIdentity } from '../release/identity.ts';
import { formatApiPage } from './format-api-page.ts';

/** A page of the site. */
export type SitePage = {
  /** In the repository, as `docs/trust.md`. */
  readonly path: string;
  readonly title: string;
};

/** The pages of the repository that readers of the site need. */
const PAGES = /^(?:[A-Z_]+|docs\/.+|packages\/[a-z]+\/README|conformance\/README)\.md$/;
const API_PAGE = 'docs/api.md';
/** A link or an image; what is in code is no link. */
const LINK = /(!?\[[^\]]*\]\()([^)\s]+)(\))/g;

/**
 * Writes the pages into the folder that the site is built from, each at its place on the site. A link to a file that is
 * no page becomes one to the sources, or plain text while they have no address.
 * @param api the description of the API, OpenAPI as JSON
 */
export async function layOutPages(
  root: string,
  out: string,
  api: string,
  has: (path: string) => boolean = () => true,
): Promise<readonly SitePage[]> {
  const sources = glob(['*.md', 'docs/**/*.*', 'packages/*/README.md', 'conformance/README.md'], { cwd: root });
  const files: string[] = [];
  for await (const path of sources) files.push(path.replaceAll(sep, '/'));
  files.sort();
  const paths = files.filter((path) => PAGES.test(path) && has(path));
  const known = new Set([...paths, API_PAGE]);
  const { repository } = readIdentity();
  const pages: SitePage[] = [];
  const write = async (path: string, text: string) => {
    const place = placeOf(path);
    await mkdir(dirname(join(out, place)), { recursive: true });
    await writeFile(join(out, place), text);
    pages.push({ path, title: /^# (.+)$/m.exec(text)?.[1] ?? path });
  };
  for (const path of paths) {
    const text = await readFile(join(root, path), 'utf8');
    await write(path, rewriteLinks(text, path, known, repository));
  }
  await write(API_PAGE, formatApiPage(api));
  await mkdir(join(out, 'public'), { recursive: true });
  await writeFile(join(out, 'public/openapi.json'), api);
  for (const path of files.filter((file) => file.startsWith('docs/') && !file.endsWith('.md'))) {
    await mkdir(dirname(join(out, placeOf(path))), { recursive: true });
    await copyFile(join(root, path), join(out, placeOf(path)));
  }
  return pages;
}

/** Where a file of the repository is on the site: that of `docs/` at the root, a README as the page of its folder. */
export function placeOf(path: string): string {
  return path.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** The text of a page with links that lead somewhere from the site. */
export function rewriteLinks(
  text: string,
  path: string,
  pages: ReadonlySet<string>,
  repository: string | undefined,
): string {
  return text.replaceAll(LINK, (whole: string, before: string, target: string, after: string) => {
    if (/^[a-z]+:|^#/.test(target)) return whole;
    const [file = '', anchor] = target.split('#');
    const wanted = posix.join(dirname(path), file).replace(/\/$/, '');
    const end = anchor === undefined ? '' : `#${anchor}`;
    const page = [wanted, posix.join(wanted, 'README.md')].find((candidate) => pages.has(candidate));
    if (page !== undefined) return `${before}/${placeOf(page)}${end}${after}`;
    if (before.startsWith('!'))
      return `${before}${wanted.startsWith('docs/') ? `/${placeOf(wanted)}` : target}${after}`;
    if (repository !== undefined) return `${before}${repository}/blob/HEAD/${wanted}${end}${after}`;
    return before.slice(1, -2);
  });
}
