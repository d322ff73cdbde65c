/** What a program says instead of running, and how it ends: 0 after its help, 2 for arguments that it does not take. */
type Ending = { readonly exitCode: 0 | 2; readonly text: string };

/** Whether arguments ask for help, wherever the option stands. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** The ending of a program that takes no arguments but `--help`; undefined when it is to run. */
export function endingOf(args: readonly string[], help: string): Ending | undefined {
  if (asksForHelp(args)) return { exitCode: 0, text: help };
  const [first] = args;
  if (first === undefined) return undefined;
  // The value of an option may be a secret.
  const name = first.replace(/=.*/s, '');
  return { exitCode: 2, text: `unknown argument ${name}; set environment variables instead, which --help lists` };
}

/** Says an ending: help on standard output, and what is wrong on standard error, after the name of the program. */
export function end(program: string, { exitCode, text }: Ending): void {
  if (exitCode === 0) process.stdout.write(`${text}\n`);
  else process.stderr.write(`${program}: ${text}\n`);
  process.exitCode = exitCode;
}
