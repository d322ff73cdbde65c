import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatLicences, readLicences } from './read-licences.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const VERIFIER = 'packages/verify';

type PageSources = {
  /** Below `packages/verify/src/`: `main.ts` and the HTML file of the page are there. */
  readonly folder: string;
  readonly html: string;
  /** Below the same folder; one after the other. */
  readonly styles: readonly string[];
  readonly isMinified: boolean;
  /** Whether it asks the host that it came from. */
  readonly mayConnect?: boolean;
};

/** The page that verifies a bundle from a local file. Somebody may want to read it, so it is not minified. */
export function buildVerifierPage(): Promise<string> {
  return buildPage({ folder: 'page', html: 'page.html', styles: ['page/page.css'], isMinified: false });
}

/** The page of an evidence pack, minified since each pack brings it along. Its parts go where it says `parts`. */
export function buildPackPage(): Promise<string> {
  return buildPage({
    folder: 'pack',
    html: 'pack.html',
    styles: ['page/page.css', 'pack/pack.css'],
    isMinified: true,
  });
}

/** The page that a link to a record leads to. It asks the host that it came from, and nobody else. */
export function buildProofPage(): Promise<string> {
  return buildPage({
    folder: 'proof',
    html: 'proof.html',
    styles: ['page/page.css', 'proof/proof.css'],
    isMinified: true,
    mayConnect: true,
  });
}

/** One HTML file with its program and its style in it, whose policy allows these two, and no connection elsewhere. */
async function buildPage({ folder, html, styles, isMinified, mayConnect = false }: PageSources): Promise<string> {
  // Only where a page is built: a bundled process has no esbuild.
  const { build } = await import('esbuild');
  const src = join(ROOT, VERIFIER, 'src');
  const { version } = JSON.parse(await readFile(join(ROOT, VERIFIER, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(src, folder, 'main.ts')],
    bundle: true,
    write: false,
    metafile: true,
    minify: isMinified,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // A text in the program must not end the element that the program stands in.
    supported: { 'inline-script': true },
    legalComments: 'inline',
    charset: 'utf8',
    logLevel: 'warning',
  });
  const style = (await Promise.all(styles.map((name) => readFile(join(src, name), 'utf8')))).join('');
  const script = outputFiles.map(({ text }) => text).join('');
  const policy =
    `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; ` +
    `${mayConnect ? "connect-src 'self'; " : ''}base-uri 'none'; form-action 'none'`;
  const parts: Readonly<Record<string, string>> = {
    version,
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
    licences: escapeHtml(formatLicences(await readLicences(ROOT, metafile))),
  };
  const template = await readFile(join(src, folder, html), 'utf8');
  return template.replace(/<!-- ([a-z]+) -->/g, (whole, name: string) => parts[name] ?? whole);
}

/** A source of a Content-Security-Policy that allows this text only. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
