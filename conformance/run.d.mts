/** What a verifier is given: a line of its standard input. */
export type Given = {
  readonly kind: 'bundle' | 'run' | 'receipt' | 'files';
  readonly files: Readonly<Record<string, string>>;
  readonly vkeys?: readonly string[];
  readonly log?: Readonly<Record<string, string>>;
};
export type Outcomes = Readonly<Record<string, string>>;
/** What a verifier responds: a line of its standard output. */
export type Verdict = { readonly outcomes?: Outcomes; readonly refused?: true };
/** `expected` is undefined where the verifier must refuse the files. */
export type Case = { readonly id: string; readonly given: Given; readonly expected: Outcomes | undefined };
export type RunOptions = { readonly only?: string; readonly suite?: string; readonly env?: NodeJS.ProcessEnv };

export function readCases(suite?: string): Generator<Case, void>;
export function readFrozenCases(suite?: string): Generator<Case, void>;
export function judgeBy(
  command: string,
  args: readonly string[],
  cases: readonly Case[],
  env?: NodeJS.ProcessEnv,
): AsyncGenerator<Verdict, void>;
export function runSuite(
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<{ readonly count: number; readonly differences: readonly string[] }>;
