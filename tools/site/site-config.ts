import { placeOf, type SitePage } from './lay-out-pages.ts';

// As in `build-site.ts`.
const DRAWER: string = 'beautiful-mermaid';
const { renderMermaidSVG } = (await import(DRAWER)) as {
  readonly renderMermaidSVG: (source: string, options: Readonly<Record<string, string | boolean>>) => string;
};

/** A piece of a page, as markdown-it has it. */
type Token = { readonly info: string; readonly content: string };
type Rule = (tokens: readonly Token[], index: number, ...rest: readonly unknown[]) => string;
type Markdown = { readonly renderer: { readonly rules: { text?: Rule; fence?: Rule } } };

/** How the site is built. */
export type SiteOptions = {
  readonly base: string;
  readonly version: string;
  /** Other versions of the site, by their names and addresses. */
  readonly others: readonly { readonly text: string; readonly link: string }[];
  readonly pages: readonly SitePage[];
  readonly outDir: string;
};

/** The groups of the menu: what readers look for, in the order of README. */
const GROUPS: readonly (readonly [text: string, pages?: RegExp])[] = [
  ['Start', /^(?:README|docs\/(?:quickstart|status|tour|faq|glossary|comparison))\.md$/],
  ['Quick starts', /^docs\/quickstart\//],
  // The pages of `docs/` itself that no other group names.
  ['Use'],
  ['Verify', /^docs\/(?:auditor|trust)\.md$|^conformance\//],
  ['Formats', /^docs\/formats\//],
  [
    'Run',
    /^docs\/(?:deployment|operations|configuration|tls|http|error-codes|supply-chain|third-party|performance)\.md$/,
  ],
  ['Operate', /^docs\/(?:operations|security|sign-in|performance)\//],
  ['Comply', /^docs\/compliance\//],
  ['Packages', /^packages\//],
  ['How it is built', /^(?:docs\/(?:architecture|releasing).*|[A-Z_]+)\.md$|^docs\/architecture\//],
  ['Decisions', /^docs\/decisions\//],
];

/** The configuration of VitePress: search without a server, a dark form, and an error for a link to nothing. */
export function createSiteConfig({ base, version, others, pages, outDir }: SiteOptions): object {
  const groups = Map.groupBy(pages, ({ path }) => groupOf(path));
  const grouped = GROUPS.map(([text]) => ({
    text,
    collapsed: text !== 'Start',
    items: (groups.get(text) ?? []).map(({ path, title }) => ({ text: title, link: linkOf(path) })),
  }));
  return {
    base,
    outDir,
    lang: 'en',
    // One at a time, so that two builds of one commit are the same, with the list of words too.
    buildConcurrency: 1,
    // A page may say where a service on the reader's machine is.
    ignoreDeadLinks: 'localhostLinks',
    title: 'Answer Evidence',
    description: 'Append-only, multi-tenant ledger of answer evidence',
    // Nobody outside is asked for a font or counts a visit.
    head: [
      ['meta', { name: 'referrer', content: 'no-referrer' }],
      ['link', { rel: 'icon', href: 'data:,' }],
      // A diagram that is wider than its column scrolls by itself; the page does not.
      ['style', {}, 'figure.diagram { overflow-x: auto; margin: 24px 0 }'],
    ],
    markdown: {
      // The pages are Markdown alone: a word in angle brackets is a word.
      html: false,
      config({ renderer: { rules } }: Markdown) {
        const { fence, text } = rules;
        // What Vue would compute is a text of a page, too.
        rules.text = (...args) => (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
        rules.fence = (tokens, index, ...rest) => {
          const token = tokens[index];
          if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
          // As a text that the page puts in: Vue would leave the styles of a picture out where it hydrates the page.
          return `<figure class="diagram" tabindex="0" aria-label="Diagram" v-html="${escapeAttribute(JSON.stringify(drawDiagram(token.content)))}" />`;
        };
      },
    },
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      sidebar: grouped,
      nav: [
        { text: 'Operations of the API', link: '/api' },
        { text: version, items: [{ text: `${version} (this one)`, link: '/' }, ...others] },
      ],
      footer: { message: 'Apache-2.0' },
    },
  };
}

/** Its words are then as large as the notes of a page. */
const SCALE = 0.85;

/** A diagram as a picture that takes its colours from the page, light or dark. */
export function drawDiagram(source: string): string {
  const picture = renderMermaidSVG(source, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    font: 'inherit',
    transparent: true,
  });
  return (
    picture
      // It would ask a stranger for a font.
      .replaceAll(/@import url\([^)]*\);?/g, '')
      .replace(/(<svg[^>]*?) width="([\d.]+)" height="([\d.]+)"/, (_, svg: string, ...[width, height]: string[]) =>
        [svg, `width="${Number(width) * SCALE}"`, `height="${Number(height) * SCALE}"`].join(' '),
      )
  );
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The group of the menu that a page is in. Throws for a page outside of `docs/` that no group names. */
export function groupOf(path: string): string {
  const named = GROUPS.find(([, pages]) => pages?.test(path) === true)?.[0];
  if (named !== undefined) return named;
  if (/^docs\/[^/]+$/.test(path)) return 'Use';
  throw new Error(`no group of the menu has ${path}`);
}

function linkOf(path: string): string {
  return `/${placeOf(path)
    .replace(/(?:^|(?<=\/))index\.md$/, '')
    .replace(/\.md$/, '')}`;
}
