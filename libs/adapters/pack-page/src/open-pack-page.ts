import { readFile } from 'node:fs/promises';

/** Where `npm run build` puts the page: beside the bundle, which has no sources. */
const BESIDE_BUNDLE = new URL('./pack-page.html', import.meta.url);

/**
 * The page of an evidence pack, without its parts. It is read when the first pack is made, and kept. A process that
 * runs from the sources builds it then, so that no build must come before a start.
 */
export function openPackPage(): () => Promise<string> {
  let page: Promise<string> | undefined;
  return () => {
    page ??= readPackPage().catch((error: unknown) => {
      page = undefined;
      throw error;
    });
    return page;
  };
}

async function readPackPage(): Promise<string> {
  if (import.meta.url.endsWith('.ts')) {
    const { buildPackPage } = await import('./build-page.ts');
    return buildPackPage();
  }
  return readFile(BESIDE_BUNDLE, 'utf8');
}
