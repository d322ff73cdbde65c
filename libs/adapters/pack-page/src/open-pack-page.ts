import { readFile } from 'node:fs/promises';

/**
 * The page of an evidence pack, without its parts. It is read when the first pack is made, and kept. A process that
 * runs from the sources builds it then, so that no build must come before a start.
 */
export function openPackPage(): () => Promise<string> {
  return openPage('pack-page.html', async () => (await import('./build-page.ts')).buildPackPage());
}

/** The page that a link to a record leads to, read and kept in the same way. */
export function openProofPage(): () => Promise<string> {
  return openPage('proof-page.html', async () => (await import('./build-page.ts')).buildProofPage());
}

/** `name`: what `npm run build` calls the page, which it puts beside the bundle; a bundle has no sources. */
function openPage(name: string, build: () => Promise<string>): () => Promise<string> {
  const read = () =>
    import.meta.url.endsWith('.ts') ? build() : readFile(new URL(`./${name}`, import.meta.url), 'utf8');
  let page: Promise<string> | undefined;
  return () => {
    page ??= read().catch((error: unknown) => {
      page = undefined;
      throw error;
    });
    return page;
  };
}
