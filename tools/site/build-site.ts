import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutPages, type SitePage } from './lay-out-pages.ts';
import type { SiteOptions } from './site-config.ts';

/** What a site is built from. */
type SiteSources = Omit<SiteOptions, 'pages'> & {
  readonly root: string;
  /** The description of the API, OpenAPI as JSON. */
  readonly api: string;
  /** Which pages of the repository it has; a link to another one is plain text. */
  readonly has?: (path: string) => boolean;
};

// Loaded where a site is built: nothing else needs it, nor its types.
const BUILDER: string = 'vitepress';
const CONFIG = fileURLToPath(new URL('site-config.ts', import.meta.url));

/** Builds a site into `outDir`, and returns its pages. Throws for a link to nothing. */
export async function buildSite({ root, api, has, ...options }: SiteSources): Promise<readonly SitePage[]> {
  const { build } = (await import(BUILDER)) as { readonly build: (folder: string) => Promise<void> };
  // Within the repository, so that what the pages import is found.
  await mkdir(join(root, 'dist'), { recursive: true });
  const work = await mkdtemp(join(root, 'dist/site-pages-'));
  try {
    const pages = await layOutPages(root, work, api, has);
    await mkdir(join(work, '.vitepress'));
    const given = JSON.stringify({ ...options, pages } satisfies SiteOptions);
    await writeFile(
      join(work, '.vitepress/config.mjs'),
      `import { createSiteConfig } from ${JSON.stringify(CONFIG)};\nexport default createSiteConfig(${given});\n`,
    );
    await build(work);
    return pages;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
