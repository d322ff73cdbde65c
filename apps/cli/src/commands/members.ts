import type { Client } from '@answer-evidence/client';
import {
  createMemberRequest,
  type Member,
  type MemberWithLink,
  type PatchMemberRequest,
} from '@answer-evidence/contracts';
import { isUuid } from '@answer-evidence/encoding';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Context } from '../context.ts';
import { formatIssues } from '../issues.ts';
import { type Cell, formatFields, formatTable } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const ROLES = ['manager', 'member'] as const;
const WHO = 'username or id';

/** `members list`, `add`, `role`, `disable`, `enable`, `reset` and `remove`. */
export function addMemberCommands(program: Command, context: Context): void {
  const members = program.command('members').description('members of the workspace, for its managers');
  members
    .command('list')
    .description('everybody who is or was a member')
    .action(async () => {
      const items = await (await context.connect()).members.list();
      context.show({ json: { items }, table: () => formatMembers(items) });
    });
  members
    .command('add')
    .description('add a member; the link by which they set their password is shown this once')
    .argument('<username>', 'name of the new member')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).default('member'))
    .action(async (username: string, options: { readonly role: string }) => {
      const parsed = createMemberRequest.safeParse({ username, role: options.role });
      if (!parsed.success) throw new UsageError(formatIssues(parsed.error.issues));
      showMember(context, await (await context.connect()).members.add(parsed.data));
    });
  addChange('role', 'make somebody a manager or a member').addArgument(
    members.createArgument('<role>', 'manager or member').choices(ROLES),
  );
  addChange('disable', 'keep somebody out, with their tokens, until they are enabled');
  addChange('enable', 'let somebody in again');
  addChange('reset', 'end the password of somebody and make a new link, shown this once');
  members
    .command('remove')
    .description('end a membership and revoke all its tokens; the name is not used again')
    .argument('<who>', WHO)
    .action(async (who: string) => {
      const client = await context.connect();
      const { id, username } = await findMember(client, who);
      await client.members.remove(id);
      context.show({ json: { id, removed: true }, table: () => formatFields([['removed', username]]) });
    });

  function addChange(name: keyof typeof CHANGES, description: string): Command {
    return members
      .command(name)
      .description(description)
      .argument('<who>', WHO)
      .action(async (who: string, role: unknown) => {
        const client = await context.connect();
        const { id } = await findMember(client, who);
        showMember(context, await client.members.change(id, CHANGES[name](role === 'manager' ? 'manager' : 'member')));
      });
  }
}

const CHANGES = {
  role: (role: (typeof ROLES)[number]): PatchMemberRequest => ({ role }),
  disable: (): PatchMemberRequest => ({ disabled: true }),
  enable: (): PatchMemberRequest => ({ disabled: false }),
  reset: (): PatchMemberRequest => ({ password_reset: true }),
};

/** Names are never used again, so that a name means one member for ever. */
async function findMember(client: Client, who: string): Promise<Member> {
  const items = await client.members.list();
  const found = items.find(({ id, username }) => (isUuid(who) ? id === who : username === who));
  if (found === undefined) throw new UsageError('there is no such member; "members list" shows all');
  return found;
}

function showMember(context: Context, member: MemberWithLink): void {
  const { password_link: link } = member;
  const fields: (readonly [string, Cell])[] = [
    ['id', member.id],
    ['username', member.username],
    ['role', member.role],
    ['disabled', member.disabled],
    ['signs in by', member.sign_in],
  ];
  if (link !== null)
    fields.push(['password link', link.url], ['secret', link.secret], ['works until', link.expires_at]);
  context.show({ json: member, table: () => formatFields(fields) });
  if (link !== null)
    context.note(
      'The link is not shown again and works once. Hand it to nobody else: whoever opens it sets the password.',
    );
}

function formatMembers(items: readonly Member[]): string {
  return formatTable(
    ['id', 'username', 'role', 'signs in by', 'disabled', 'removed'],
    items.map((one) => [one.id, one.username, one.role, one.sign_in, one.disabled_at, one.removed_at]),
  );
}
