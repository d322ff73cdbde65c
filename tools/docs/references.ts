/** The top folders of the repository: a code span that begins with one is a path from the root. */
const TOP = ['.ci/', 'apps/', 'docs/', 'e2e/', 'libs/', 'tools/'];
const PATH = /^[\w.@-]*(?:\/[\w.@-]+)*\/?$/;
const SOURCE = /\.(?:ts|tsx|mjs|sql|py)$/;

/** A link of a page: its text and where it leads, without a title. */
export type Link = { readonly label: string; readonly target: string };

/** The page without blocks of code, whose text is neither a link nor a heading. */
function withoutCodeBlocks(page: string): string {
  return page.replace(/^( *)```[^]*?^ *```$/gm, '');
}

/** The links of a page that lead into the repository. */
export function findLinks(page: string): readonly Link[] {
  return [...withoutCodeBlocks(page).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .map(([, label = '', target = '']) => ({ label, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/**
 * The code spans of a page that name a file or a folder of the repository: all that begin with a top folder, and all
 * that end as a source file does. Spans that are the text of a link are left out, since its target says which file is
 * meant.
 */
export function findPaths(page: string): readonly string[] {
  const text = withoutCodeBlocks(page).replace(/\[[^\]]*\]\([^)\s]+\)/g, '');
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => PATH.test(span) && (TOP.some((folder) => span.startsWith(folder)) || SOURCE.test(span)));
}

/** The file that the text of a link names as a code span, or undefined: its target must end the same. */
export function fileOfLabel(label: string): string | undefined {
  const span = /^`([^`]+)`$/.exec(label)?.[1];
  return span !== undefined && PATH.test(span) && SOURCE.test(span) ? span : undefined;
}

/** What is named: the path, the same below `libs/` or `libs/domain/`, or beside the page; a bare name if unique. */
export function resolvePath(path: string, page: string, files: ReadonlySet<string>): readonly string[] {
  const name = path.replace(/\/$/, '');
  if (TOP.some((top) => path.startsWith(top))) return files.has(name) ? [name] : [];
  if (!name.includes('/')) return [...files].filter((file) => file === name || file.endsWith(`/${name}`));
  const folder = page.slice(0, page.lastIndexOf('/') + 1);
  const candidates = ['', 'libs/', 'libs/domain/', folder].map((base) => base + name);
  return [...new Set(candidates)].filter((candidate) => files.has(candidate));
}

/** The headings of a page, without their marks. */
export function headingsOf(page: string): readonly string[] {
  return [...withoutCodeBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/** The anchor that readers of Markdown give a heading. */
export function formatAnchor(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** A page that a source file cites, with the heading or the number of the section that it names. */
type Citation = { readonly page: string; readonly section: string };

/** What a source file cites: `docs/operations.md, "A refused start"` and `docs/formats.md, section 4`. */
export function findCitations(source: string): readonly Citation[] {
  const cited = /\b(docs\/[\w/-]+\.md), (?:"([^"\n]+)"|sections? (\d+(?:(?:,| and) \d+)*))/g;
  return [...source.matchAll(cited)].flatMap(
    ([, page = '', heading, numbers]) =>
      (heading === undefined ? (numbers ?? '').match(/\d+/g) : [heading])?.map((section) => ({ page, section })) ?? [],
  );
}

/** The numbers of the decisions that a source file cites: `decision 0006` and `decisions 0006, 0113 and 0126`. */
export function findCitedDecisions(source: string): readonly string[] {
  const text = source.replace(/\n *(?:\*|\/\/|#|--) ?/g, ' ');
  return [...text.matchAll(/\b[Dd]ecisions? (\d{4}(?:(?:,| and) \d{4})*)/g)].flatMap(
    ([, numbers = '']) => numbers.match(/\d{4}/g) ?? [],
  );
}
