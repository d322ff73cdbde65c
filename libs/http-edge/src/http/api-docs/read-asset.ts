import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm run build` puts the assets: beside the bundle, which has no node_modules. */
const BESIDE_BUNDLE = fileURLToPath(new URL('./api-docs/', import.meta.url));

/** A file of swagger-ui-dist; undefined where this installation has none. */
export async function findAsset(name: string): Promise<Uint8Array | undefined> {
  return (await findFile(join(BESIDE_BUNDLE, name))) ?? (await findFile(join(packageDirectory(), name)));
}

function packageDirectory(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    // A bundle whose assets were left behind.
    return BESIDE_BUNDLE;
  }
}

async function findFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
