import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Builds the page that verifies a bundle from a local file: one HTML file with its program and its style in it, whose
 * policy allows these two and no connection.
 */
export async function buildPage(root: string, out: string): Promise<void> {
  const folder = join(root, 'packages/verify/src/page');
  const { version } = JSON.parse(await readFile(join(root, 'packages/verify/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // A text in the program must not end the element that the program stands in.
    supported: { 'inline-script': false },
    legalComments: 'inline',
    charset: 'utf8',
    logLevel: 'warning',
  });
  const style = await readFile(join(folder, 'page.css'), 'utf8');
  const script = outputFiles.map(({ text }) => text).join('');
  const policy =
    `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; ` +
    `base-uri 'none'; form-action 'none'`;
  const parts: Readonly<Record<string, string>> = {
    version,
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
  };
  const template = await readFile(join(folder, 'page.html'), 'utf8');
  await writeFile(
    out,
    template.replace(/<!-- ([a-z]+) -->/g, (whole, name: string) => parts[name] ?? whole),
  );
}

/** A source of a Content-Security-Policy that allows this text only. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
