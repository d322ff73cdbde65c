/**
 * Makes the images of the container for each machine, and the chart, as archives that a registry takes, from what
 * `npm run build` has made: `npm run image -- OUT --base BASE.tar`.
 */
import '../help/before-run.ts';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImages } from './build-images.ts';
import { packChart } from './chart.ts';
import { digestFile, openLayout } from './layout.ts';
import { openNativePackages } from './native-packages.ts';

const USAGE = 'npm run image -- OUT --base BASE.tar [--platform linux/amd64,linux/arm64]';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, platform: { type: 'string', default: 'linux/amd64,linux/arm64' } },
});
const [out] = positionals;
if (out === undefined || values.base === undefined) throw new Error(`name the folder and the base: ${USAGE}`);

const root = fileURLToPath(new URL('../../', import.meta.url));
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const revision = `${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '-changed'}`;
const time = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'));
const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-oci-'));
try {
  await mkdir(out, { recursive: true });
  const image = await buildImages(folder, {
    out,
    base: values.base,
    platforms: values.platform.split(','),
    revision,
    time,
    bundleOf: (app) => join(root, 'apps', app, 'dist'),
    packagesOf: (architecture) => openNativePackages(architecture, join(folder, 'packages', architecture)),
  });
  const charts = await packChart(await openLayout(join(folder, 'chart')), out, time);
  for (const file of [image, ...charts])
    console.log(`${file} ${((await stat(file)).size / 1e6).toFixed(2)} MB ${await digestFile(file)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
