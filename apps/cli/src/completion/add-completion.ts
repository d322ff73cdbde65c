import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { listCandidates } from './list-candidates.ts';
import { completionScript, type Shell, SHELLS } from './scripts.ts';

/** `completion <shell>`, and the hidden command that the scripts of the shells call. */
export function addCompletionCommands(program: Command, { io }: Context): void {
  program
    .command('completion')
    .description('print the script that makes a shell complete commands and options')
    .addArgument(program.createArgument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: Shell) => io.stdout.write(completionScript(shell, program.name())));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => {
      for (const { word, description } of listCandidates(program, words) ?? [])
        io.stdout.write(`${word}\t${description}\n`);
    });
}
