import type { Config } from '../ground/config.ts';

/** Where a command works and whom it tells. */
export type Operation = {
  readonly config: Config;
  /** The environment, for what is asked of a command and is no setting of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The result, a line at a time, on standard output. */
  readonly print: (line: string) => void;
  /** What is going on, a line at a time, on standard error. */
  readonly report: (line: string) => void;
};

/** Does the work; exit code 0: all well, 1: a fault was found. Throws `StartError` for what a person can fix. */
export type Run = (operation: Operation) => Promise<number>;

/** One command of the operator. */
export type OperatorCommand = {
  /** First argument of `apps/operator/src/main.ts`. */
  readonly name: string;
  /** How it is called through npm. */
  readonly usage: string;
  /** What it does, in a sentence. */
  readonly purpose: string;
  /** Reads all arguments before anything is opened. Throws `UsageError`, `StartError` or what `parseArgs` throws. */
  parse(args: readonly string[]): Run;
};

/** The arguments are not those of the command; anyone who catches it shows the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
