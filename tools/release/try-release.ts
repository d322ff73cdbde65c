import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled } from '@answer-evidence/testing';
import type { Made, Making } from './make.ts';
import { run } from './run.ts';
import { tryPackages } from './try-packages.ts';
import { tryPython } from './try-python.ts';
import { compareDebian, tryImage, tryLinux } from './try-service.ts';

/** What was seen of a file of the release. */
export type Tried = { readonly name: string; readonly seen: string };

const PROOF = 'started, an answer recorded and proved; four verifiers pass it and refuse it altered';

/** Tries everything that was made, as those would who install it. Throws for the first thing that does not hold. */
export async function tryRelease(making: Making, made: Made): Promise<readonly Tried[]> {
  const { root, out, work, version } = making;
  const tried: Tried[] = [];
  const add = (names: readonly string[], seen: string) => {
    for (const name of names) {
      tried.push({ name, seen });
      console.log(`tried ${name}`);
    }
  };
  const project = await tryPackages(root, out, work, made.packages);
  add(
    made.packages.filter((name) => name.endsWith('.tgz')),
    'publint and attw find nothing; installed, every entry imported',
  );
  const pythonBin = await tryPython(making, made.python);
  add(made.python, 'installed into an empty environment');
  const installed = { project, program: join(out, 'answer-evidence-verify.mjs'), pythonBin };
  const [tarball = '', deb] = made.linux;
  await tryLinux(join(out, tarball), work, installed);
  add([tarball], PROOF);
  add(['answer-evidence-verify.mjs'], 'verified that proof, and refused it altered');
  add(['verify.html'], await tryPage(join(out, 'verify.html')));
  if (deb !== undefined) {
    await compareDebian(join(out, tarball), join(out, deb));
    add([deb], 'has the files of the tarball');
  }
  const obstacle = await tryImage(made.image, work, installed);
  const started = obstacle === undefined ? PROOF : `every digest holds; not started: ${obstacle}`;
  const { standIn } = made.image;
  add(
    [standIn === undefined ? `answer-evidence-image-${version}.oci.tar` : 'the image, which is not in the release'],
    standIn === undefined ? started : `${started}, on a stand-in for its base: ${standIn}`,
  );
  add(made.chart, await tryChart(out, made.chart));
  JSON.parse(await readFile(join(out, made.materials), 'utf8'));
  add([made.materials], 'read; the same list as in the image');
  return tried;
}

/** The page works from disk: it must bring all that it runs. */
async function tryPage(file: string): Promise<string> {
  const page = await readFile(file, 'utf8');
  const outside = /<(?:script|link|img)[^>]+(?:src|href)="(?!data:|#)[^"]/.exec(page);
  if (outside !== null) throw new Error(`${file} loads something from elsewhere: ${outside[0]}`);
  return 'loads nothing from elsewhere';
}

async function tryChart(out: string, files: readonly string[]): Promise<string> {
  const packed = files.find((name) => name.endsWith('.tgz')) ?? '';
  const listed = await run('tar', ['--list', '--gzip', `--file=${join(out, packed)}`]);
  if (!listed.includes('answer-evidence/Chart.yaml')) throw new Error(`${packed} has no answer-evidence/Chart.yaml`);
  if (!isInstalled('helm')) return 'read; not rendered: helm is not installed';
  await run('helm', ['lint', '--strict', join(out, packed)]);
  return 'helm lint finds nothing';
}
