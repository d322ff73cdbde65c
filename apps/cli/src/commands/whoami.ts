import type { Command } from 'commander';
import type { Identity } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { limitsText, roleText } from '../member-access.ts';
import { asFields, type Block } from '../output/blocks.ts';

/** `whoami`: whose token this is. */
export function addWhoamiCommand(program: Command, context: Context): void {
  program
    .command('whoami')
    .description('show the current user and workspace')
    .action(() => context.report((client) => client.whoami(), viewIdentity));
}

function viewIdentity(identity: Identity): Block {
  return asFields([
    ['workspace', `${identity.workspace.slug} (${identity.workspace.display_name})`],
    ['workspace id', identity.workspace.id],
    ['kind', identity.kind],
    ['id', identity.id],
    ['username', identity.username],
    ['role', roleText(identity)],
    ...(limitsText(identity.access) === null ? [] : [['limited to', limitsText(identity.access)] as const]),
    ['application', identity.application_key],
    ['scopes', identity.scopes.length === 0 ? null : identity.scopes.join(' ')],
    ['token id', identity.token_id],
    ['expires', identity.expires_at],
  ]);
}
