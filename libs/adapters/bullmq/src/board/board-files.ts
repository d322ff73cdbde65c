import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm run build` puts the files: beside the bundle, which has no node_modules. */
const BESIDE_BUNDLE = fileURLToPath(new URL('./queue-board/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** A style sheet or font of another host, which a page without a way to the outside cannot load. */
const LINK = /<link\s[^<>]*>/g;
const FOREIGN = /href="https?:/;
const PLACE = /<%[=-] (\w+) %>/g;

/** The files of bull-board's pages. */
type BoardFiles = {
  /** The page, filled in. */
  page(values: Readonly<Record<string, string>>): string;
  /** A file of the page, by its path below the board. */
  find(path: string): Promise<{ readonly type: string; readonly body: Uint8Array } | undefined>;
};

/** Opens the files beside the bundle, or those of the package. Throws if there are neither. */
export async function openBoardFiles(): Promise<BoardFiles> {
  const folder = await findFolder();
  const template = (await readFile(join(folder, 'index.ejs'), 'utf8')).replaceAll(LINK, (link) =>
    FOREIGN.test(link) ? '' : link,
  );
  const listed = await readdir(join(folder, 'static'), { recursive: true, withFileTypes: true });
  // Only what was listed is ever read, so no path leads out of the folder.
  const files = new Map<string, string>(
    listed
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file] as const),
  );
  return {
    page: (values) =>
      template.replaceAll(PLACE, (place: string, name: string) =>
        place.startsWith('<%-') ? (values[name] ?? '') : escape(values[name] ?? ''),
      ),
    async find(path) {
      const file = files.get(path);
      const type = TYPES[extname(path)];
      return file === undefined || type === undefined ? undefined : { type, body: await readFile(file) };
    },
  };
}

async function findFolder(): Promise<string> {
  const isBuilt = await readdir(BESIDE_BUNDLE).then(
    () => true,
    () => false,
  );
  if (isBuilt) return BESIDE_BUNDLE;
  return join(dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')), 'dist');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
