import { type Command, Option } from 'commander';
import type { Client } from '@answer-evidence/client';
import {
  createMemberRequest,
  type Member,
  type MemberWithLink,
  PAGE_SIZE_MAX,
  type PatchMemberRequest,
  patchMemberRequest,
} from '@answer-evidence/contracts';
import { isUuid } from '@answer-evidence/encoding';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import {
  addLimitOptions,
  type LimitOptions,
  limitsText,
  readAccess,
  ROLES,
  roleText,
  sourceText,
} from '../member-access.ts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';

const WHO = 'username or id';

/** `members list`, `add`, `role`, `disable`, `enable`, `reset`, `link`, `unlink` and `remove`. */
export function addMemberCommands(program: Command, context: Context): void {
  const members = program.command('members').description('manage members of the workspace (managers only)');
  const list = members.command('list').description('list current and former members, by name');
  addPageOptions(list).action(async (options: PageOptions) => {
    const found = await (await context.connect()).members.list(pageOf(options));
    showList(context, found, viewMembers, options, 'members');
  });
  const add = members
    .command('add')
    .description('add a member; prints a one-time link for setting their password, shown only once')
    .argument('<username>', 'name of the new member')
    .addOption(new Option('--role <role>', 'role of the member').choices(ROLES).default('member'));
  addLimitOptions(add).action(async (username: string, options: LimitOptions & { readonly role: string }) => {
    const request = parseWith(createMemberRequest, { username, ...readAccess(options.role, options) });
    showMember(context, await (await context.connect()).members.add(request));
  });
  const role = members
    .command('role')
    .description('change the role of a member, and where they act; less than before ends their tokens and sessions')
    .argument('<who>', WHO)
    .addArgument(members.createArgument('<role>', 'the new role').choices(ROLES));
  addLimitOptions(role).action(async (who: string, wanted: string, options: LimitOptions) => {
    const request = parseWith(patchMemberRequest, readAccess(wanted, options));
    const client = await context.connect();
    const { id } = await findMember(client, who);
    showMember(context, await client.members.change(id, request));
  });
  addChange('disable', 'disable a member and revoke their tokens');
  addChange('enable', 're-enable a member, who signs in again');
  addChange('reset', "reset a member's password; prints a new one-time link, shown only once");
  addChange('unlink', 'unlink a member from their subject at the OpenID provider; ends the sessions opened by it');
  members
    .command('link')
    .description('let one person of the OpenID provider, and nobody else there, sign in as a member')
    .argument('<who>', WHO)
    .argument('<subject>', 'their `sub` at the provider; the page of a refused sign-in shows it to them')
    .option('--issuer <url>', 'issuer of the provider (default: the one that this installation signs people in with)')
    .action(async (who: string, subject: string, { issuer }: { readonly issuer?: string }) => {
      const provider = { subject, ...(issuer === undefined ? {} : { issuer }) };
      const request = parseWith(patchMemberRequest, { provider });
      const client = await context.connect();
      const { id } = await findMember(client, who);
      showMember(context, await client.members.change(id, request));
    });
  members
    .command('remove')
    .description('remove a member and revoke all their tokens; the name cannot be reused')
    .argument('<who>', WHO)
    .action(async (who: string) => {
      const client = await context.connect();
      const { id, username } = await findMember(client, who);
      await client.members.remove(id);
      context.show({ json: { id, removed: true }, blocks: () => asFields([['removed', username]]) });
    });

  function addChange(name: keyof typeof CHANGES, description: string): void {
    members
      .command(name)
      .description(description)
      .argument('<who>', WHO)
      .action(async (who: string) => {
        const client = await context.connect();
        const { id } = await findMember(client, who);
        showMember(context, await client.members.change(id, CHANGES[name]()));
      });
  }
}

const CHANGES = {
  disable: (): PatchMemberRequest => ({ disabled: true }),
  enable: (): PatchMemberRequest => ({ disabled: false }),
  reset: (): PatchMemberRequest => ({ password_reset: true }),
  unlink: (): PatchMemberRequest => ({ provider: null }),
};

/** Names are never used again, so that a name means one member for ever. */
export async function findMember(client: Client, who: string): Promise<Member> {
  const wanted = who.toLowerCase();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Awaited<ReturnType<Client['members']['list']>> = await client.members.list({
      size: PAGE_SIZE_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const found = page.items.find(({ id, username }) => (isUuid(wanted) ? id === wanted : username === who));
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  }
  throw new UsageError('no such member; run `members list` to see all members');
}

function showMember(context: Context, member: MemberWithLink): void {
  const { password_link: link } = member;
  const fields: (readonly [string, Cell])[] = [
    ['id', member.id],
    ['username', member.username],
    ['role', roleText(member)],
    ...limitFields(member),
    ...(member.role_source ? [['its source', sourceText(member.role_source)] as const] : []),
    ['disabled', member.disabled],
    ['signs in by', member.sign_in],
  ];
  if (member.provider) fields.push(['subject', member.provider.subject], ['issuer', member.provider.issuer]);
  if (link !== null)
    fields.push(['password link', link.url], ['secret', link.secret], ['works until', link.expires_at]);
  const quiet = link === null ? [member.id] : [link.url, link.secret];
  context.show({ json: member, blocks: () => asFields(fields), quiet });
  if (link !== null)
    context.note(
      'This link is not shown again and works once. Give it only to the member: anyone who opens it can set the password.',
    );
}

function limitFields({ access }: Member): readonly (readonly [string, Cell])[] {
  const limits = limitsText(access);
  return limits === null ? [] : [['limited to', limits]];
}

function viewMembers(items: readonly Member[]): Block {
  return asTable(
    ['id', 'username', 'role', 'source of the role', 'limited to', 'signs in by', 'subject', 'disabled', 'removed'],
    items.map((one) => [
      ...[one.id, one.username, roleText(one), sourceText(one.role_source), limitsText(one.access), one.sign_in],
      one.provider?.subject ?? null,
      ...[one.disabled_at, one.removed_at],
    ]),
  );
}
