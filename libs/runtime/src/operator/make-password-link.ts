import { parseArgs } from 'node:util';
import { ServiceError } from '@answer-evidence/contracts';
import { trimSlashes } from '@answer-evidence/encoding';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { issuePasswordLink } from '@answer-evidence/stage-workspace';
import { baseUrlOf, workspaceUrl } from '../ground/addresses.ts';
import { StartError } from '../ground/start-error.ts';
import { findUnnamedMembers } from '../open/find-members.ts';
import type { Stores } from '../open/open-stores.ts';
import { type Operation, type OperatorCommand, UsageError } from './command.ts';
import { withStores } from './with-stores.ts';

type Options = { readonly workspace: string; readonly username: string };

/** Makes a password link for a member: a manager's first one, or when the last manager has lost the password. */
export const makePasswordLinkCommand: OperatorCommand = {
  name: 'member-password-link',
  usage: 'npm run operator -- member-password-link --workspace SLUG --username USERNAME',
  purpose: 'Prints a one-time link with which a member sets a password.',
  parse(args) {
    const option = { type: 'string' } as const;
    const { values } = parseArgs({ args: [...args], options: { workspace: option, username: option } });
    const { workspace, username } = values;
    if (workspace === undefined || username === undefined) throw new UsageError();
    return (operation) =>
      withStores(operation, (stores) => makePasswordLink(stores, { workspace, username }, operation));
  },
};

async function makePasswordLink(
  stores: Stores,
  options: Options,
  { config, print, report }: Operation,
): Promise<number> {
  const workspace = await stores.directory.findBySlug(options.workspace);
  if (workspace === undefined) throw new StartError(`there is no workspace "${options.workspace}"`);
  await findUnnamedMembers(stores);
  const parts = { ledger: stores.ledger, members: stores.members, clock: systemClock, random: systemRandom };
  const baseUrl = trimSlashes(workspaceUrl(baseUrlOf(config), workspace.slug));
  const operator = { kind: 'service', id: 'operator', token_id: null } as const;
  try {
    const link = await issuePasswordLink(parts, workspace, baseUrl, options.username, operator);
    print(link.url);
    report(`works once, until ${link.expires_at}; a previous password no longer works`);
    report('open it in a browser, or enter it into: npx answer-evidence password set');
    return 0;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found')
      throw new StartError(`"${options.username}" is not an active member of "${workspace.slug}"`, { cause: error });
    throw error;
  }
}
