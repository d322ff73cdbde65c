import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A command that judges the cases of the suite. */
export type Verifier = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
};

/** The two verifiers of this repository, which share no code. */
export const VERIFIERS: readonly [Verifier, Verifier] = [
  {
    name: 'TypeScript',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(ROOT, 'apps/cli/src/verifier-main.ts'), 'conformance'],
    env: process.env,
  },
  {
    name: 'Python',
    command: 'python3',
    args: ['-B', '-m', 'answer_evidence.verify', 'conformance'],
    env: { ...process.env, PYTHONPATH: join(ROOT, 'packages/python/src') },
  },
];
