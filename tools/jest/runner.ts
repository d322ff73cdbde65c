import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { holdAnswer } from './hold-answer.ts';

const { fork } = childProcess;
childProcess.fork = (...args: readonly unknown[]) =>
  holdAnswer((fork as (...args: readonly unknown[]) => ChildProcess)(...args));
syncBuiltinESMExports();

// Only now, so that it forks as above. It has no types.
const runner: string = 'jest-light-runner';
const { default: LightRunner } = (await import(runner)) as { readonly default: unknown };
export default LightRunner;
