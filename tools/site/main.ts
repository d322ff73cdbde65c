/**
 * Builds the documentation into `dist/site/`, a folder that any static host takes: `npm run docs:site`. The pages are
 * those of the repository; a link to nothing is an error. `-- --base /` is where the host serves it, by default
 * `/docs/` as the service does; `--version NAME` and `--others a=/a/,b=/b/` fill the menu of versions.
 */
import '../help/before-run.ts';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeApi } from '@answer-evidence/runtime/describe-api';
import { readIdentity } from '../release/identity.ts';
import { buildSite } from './build-site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, 'dist/site');

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: '/docs/' },
    version: { type: 'string', default: readIdentity().version },
    others: { type: 'string', default: '' },
  },
});
const { base, version } = values;
if (!/^\/(?:[\w.-]+\/)*$/.test(base)) throw new Error(`--base must begin and end with a slash, and not be ${base}`);
const others = values.others.split(',').flatMap((pair) => {
  const [text, link] = pair.split('=');
  return text === undefined || link === undefined ? [] : [{ text, link }];
});

await rm(OUT, { recursive: true, force: true });
const pages = await buildSite({ root: ROOT, outDir: OUT, api: describeApi(), base, version, others });
// Made by npm run docs:site -- reference, where it was.
const reference = join(ROOT, 'dist/reference');
if (existsSync(reference)) await cp(reference, join(OUT, 'reference'), { recursive: true });
else console.log('without the reference pages of the packages: npm run docs:site -- reference makes them');
console.log(`dist/site: ${pages.length} pages`);
