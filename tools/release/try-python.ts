import { join } from 'node:path';
import type { Making } from './make.ts';
import { run } from './run.ts';

/** Installs the wheel, and then the source archive, each into an empty environment; the folder of its programs. */
export async function tryPython({ out, work, tools, version }: Making, files: readonly string[]): Promise<string> {
  const uv = join(tools, 'bin/uv');
  const bins: string[] = [];
  for (const file of files.toSorted()) {
    const environment = join(work, `python-of-${file}`);
    await run(uv, ['venv', '--quiet', '--python', join(tools, 'bin/python'), environment]);
    await run(uv, ['pip', 'install', '--quiet', '--python', environment, join(out, file)]);
    const bin = join(environment, 'bin');
    const program = 'import importlib.metadata, answer_evidence; print(importlib.metadata.version("answer-evidence"))';
    const installed = (await run(join(bin, 'python'), ['-c', program])).trim();
    if (
      installed !== version.replace(/-(alpha|beta|rc)\./, (_, kind: string) => (kind === 'rc' ? 'rc' : (kind[0] ?? '')))
    )
      throw new Error(`${file} installs ${installed}, and not ${version}`);
    bins.push(bin);
  }
  const [bin] = bins.slice(-1);
  if (bin === undefined) throw new Error('no Python package was made');
  return bin;
}
