import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readToken, watch } from '../scenery/service-process.ts';
import { run } from './run.ts';

/** What a user has installed: the command line, the verifier as one file, and that of Python. */
export type Installed = { readonly project: string; readonly program: string; readonly pythonBin: string };

/**
 * Waits for a service that was started, records one answer in it by the installed command line, and gives its proof to
 * each verifier of the release. Throws unless all of them pass it and refuse it once it is altered. Stops the service.
 * @param dataDir where the service keeps its data, as this process sees it
 */
export async function proveAnswer(
  child: ChildProcess,
  { dataDir, work, installed }: { readonly dataDir: string; readonly work: string; readonly installed: Installed },
): Promise<void> {
  const service = watch(child);
  try {
    const url = await service.ready;
    const env = { SERVICE_REGISTRY: url, SERVICE_TOKEN: await readToken(dataDir) };
    await mkdir(work, { recursive: true });
    const cli = (...args: readonly string[]) =>
      run(join(installed.project, 'node_modules/.bin/answer-evidence'), args, { cwd: work, env });
    const texts = ['--question-text', 'How long can I return a jacket?', '--answer-text', '30 days.'];
    const id = (await cli('records', 'create', '--quiet', '--application', 'support-bot', ...texts)).trim();
    await cli('trust', 'proof', id, '--out', 'bundle.json');
    await cli('trust', 'export', '--out', 'trust.json');
    for (const [file, ...first] of listVerifiers(installed)) {
      const verify = (bundle: string) =>
        run(file ?? '', [...first, bundle, '--trust', 'trust.json', '--require', 'answer_commitment'], { cwd: work });
      await verify('bundle.json');
      await run('sh', ['-c', "sed 's/30 days/60 days/' bundle.json >altered.json"], { cwd: work });
      const passes = await verify('altered.json').then(
        () => true,
        () => false,
      );
      if (passes) throw new Error(`${file} passes a proof whose answer was altered`);
    }
  } finally {
    await service.stop();
  }
}

/** Each verifier of a release, as a command that takes a bundle. */
function listVerifiers({ project, program, pythonBin }: Installed): readonly (readonly string[])[] {
  return [
    [join(project, 'node_modules/.bin/answer-evidence'), 'verify'],
    [join(project, 'node_modules/.bin/answer-evidence-verify'), 'verify'],
    [process.execPath, program, 'verify'],
    [join(pythonBin, 'answer-evidence-verify'), 'verify'],
  ];
}
