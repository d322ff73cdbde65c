import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/** Where a command gets what a person enters. */
type Prompter = {
  /** One line; a secret is not echoed. Where there is no terminal, the next line of standard input. */
  ask(what: string, kind?: 'secret'): Promise<string>;
  /** Whether a person is asked, who can be asked twice. */
  readonly isPerson: boolean;
};

/** Asks on the terminal, or reads the lines of standard input one after the other. */
export function createPrompter(io: Io): Prompter {
  let lines: string[] | undefined;
  return {
    isPerson: io.askTerminal !== undefined,
    async ask(what, kind) {
      if (io.askTerminal !== undefined) return io.askTerminal(`${what}: `, kind === 'secret');
      // Only line ends are cut: blanks at the ends of a password are part of it.
      lines ??= new TextDecoder().decode(await io.readStdin()).split(/\r?\n/);
      const line = lines.shift();
      if (line === undefined || line === '')
        throw new UsageError(`${what}: standard input is not a terminal and has no line with this value`);
      return line;
    },
  };
}
