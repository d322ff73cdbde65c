import type { Command } from 'commander';
import { resolveConnection } from '../config.ts';
import type { Context } from '../context.ts';

/** `token print`: the token that commands use, for programs such as curl. */
export function addTokenPrintCommand(program: Command, context: Context): void {
  program
    .command('token')
    .description('the token that commands use')
    .command('print')
    .description('print the token of the environment or the configuration file, for curl and scripts')
    .action(async () => {
      const { registry, token } = await resolveConnection(context.io, context.registry());
      const blocks = () => ({ kind: 'line', text: token }) as const;
      context.show({ json: { registry, token }, blocks, quiet: [token] });
    });
}
