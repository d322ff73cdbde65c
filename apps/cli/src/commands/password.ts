import type { Command } from 'commander';
import { resolveRegistry } from '../config.ts';
import type { Context } from '../context.ts';
import { asFields } from '../output/blocks.ts';
import { createPrompter } from '../prompter.ts';
import { UsageError } from '../usage-error.ts';

/** Where the page of a password link is. */
const PAGE = '/auth/password#';

/** `password set`. */
export function addPasswordCommands(program: Command, context: Context): void {
  program
    .command('password')
    .description('your password')
    .command('set')
    .description('set a password with a one-time link; prompts for both, or reads two lines from standard input')
    .action(() => setPassword(context));
}

async function setPassword(context: Context): Promise<void> {
  const prompter = createPrompter(context.io);
  const link = (await prompter.ask('Password link, or its secret', 'secret')).trim();
  context.keepSecret(link);
  const at = link.indexOf(PAGE);
  const secret = at < 0 ? link : link.slice(at + PAGE.length);
  context.keepSecret(secret);
  // A whole link says where it belongs; sent elsewhere, its secret would be told to a stranger.
  const registry = await resolveRegistry(context.io, at < 0 ? context.registry() : link.slice(0, at));
  const client = await context.connectOpenly(registry);
  const password = await prompter.ask('New password, at least 12 characters', 'secret');
  context.keepSecret(password);
  if (prompter.isPerson && (await prompter.ask('Repeat the new password', 'secret')) !== password)
    throw new UsageError('the two passwords differ; nothing was changed');
  const profile = await client.auth.setPassword({ secret, password });
  context.show({
    json: { profile, registry },
    blocks: () =>
      asFields([
        ['password set for', profile.username],
        ['workspace', `${profile.tenant_slug} (${profile.tenant_display_name})`],
        ['registry', registry],
      ]),
  });
}
