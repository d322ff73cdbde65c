import { describe, expect, it } from '@jest/globals';
import { type GroupRule, memberCore, type MemberRole } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { addMember, addWithPassword } from '../../../fixtures/accounts.ts';
import { isOpen, openProviderWorld, type ProviderWorld } from '../../../fixtures/provider-world.ts';

const PROVIDER = { kind: 'service', id: 'openid-provider', token_id: null };
const rule = (group: string, role: MemberRole, applications: string[] | null = null, adopts = false): GroupRule => ({
  ...{ group, adopts },
  access: { role, applications, environments: null },
});
const RULES = [
  rule('managers', 'manager'),
  rule('bot-reviewers', 'reviewer', ['bot']),
  rule('everybody', 'read_only'),
  rule('adopted', 'auditor', null, true),
];
const ANNA = { subject: 'anna-1', name: { name: 'Anna@example.com', isVerifiedAddress: true } };

function open() {
  return openProviderWorld(false, RULES);
}

function rowOf({ stage }: ProviderWorld, username: string) {
  return stage.database.rows.members.find((row) => row.username === username);
}

function coresOf({ stage }: ProviderWorld, username: string) {
  return stage.database.rows.workspace_entries
    .filter(({ type }) => type === 'member_changed')
    .map((row) => memberCore.parse(parseJsonText(row.core_json)))
    .filter((core) => core.username === username);
}

describe('somebody who is no member', () => {
  it('is added with the role of the first row that names a group of theirs, linked, by the provider', async () => {
    const world = open();
    const reply = await world.signIn({ ...ANNA, groups: ['other', 'everybody', 'bot-reviewers'] });
    expect([reply.status, await isOpen(world, reply.cookie)]).toEqual([200, true]);
    expect(coresOf(world, 'anna@example.com')).toMatchObject([
      {
        changes: ['added', 'provider_linked'],
        role: 'member',
        access: { role: 'reviewer', applications: ['bot'], environments: null },
        role_source: 'provider',
        provider: { subject: 'anna-1' },
        actor: PROVIDER,
      },
    ]);
    const before = world.stage.database.rows.workspace_entries.length;
    expect((await world.signIn({ ...ANNA, groups: ['bot-reviewers'] })).status).toBe(200);
    const kinds = world.stage.database.rows.workspace_entries.slice(before).map(({ type }) => type);
    expect(kinds).toEqual(['token_issued']);
  });

  it('is not added without such a group, nor under a name that no member can have', async () => {
    const world = open();
    for (const groups of [[], ['Managers', 'managers '], ['other']])
      expect((await world.signIn({ ...ANNA, groups })).status).toBe(403);
    const named = (name: string) => ({ subject: name, name: { name, isVerifiedAddress: false }, groups: ['managers'] });
    expect((await world.signIn(named('Anna Ångström'))).status).toBe(401);
    expect((await world.signIn({ subject: 'unnamed', groups: ['managers'] })).status).toBe(401);
    expect(world.refusals).toEqual([...Array.from({ length: 3 }, () => 'no_such_member'), 'name_not_usable']);
    expect(world.stage.database.rows.members).toHaveLength(2);
  });

  it('does not become a member who was removed, or who is linked to another subject', async () => {
    const world = open();
    await world.signIn({ ...ANNA, groups: ['everybody'] });
    expect((await world.signIn({ ...ANNA, subject: 'anna-2', groups: ['managers'] })).status).toBe(403);
    const id = rowOf(world, 'anna@example.com')?.id ?? '';
    await world.stage.call('DELETE', `/api/members/${id}`, { as: world.stage.manager });
    expect((await world.signIn({ ...ANNA, groups: ['everybody'] })).status).toBe(403);
    expect(world.refusals).toEqual(['linked_to_another_subject', 'no_such_member']);
  });
});

describe('a member whose role follows their groups', () => {
  it('gets another role at the next sign-in, which ends what they had, in one entry with its revocations', async () => {
    const world = open();
    const first = await world.signIn({ ...ANNA, groups: ['everybody'] });
    const second = await world.signIn({ ...ANNA, groups: ['bot-reviewers'] });
    expect([await isOpen(world, first.cookie), await isOpen(world, second.cookie)]).toEqual([false, true]);
    expect(coresOf(world, 'anna@example.com').at(-1)).toMatchObject({ changes: ['access_changed'], actor: PROVIDER });
    const [token] = world.stage.database.rows.tokens.filter(({ name }) => name.startsWith('console-anna'));
    expect(token?.revoked_at).toEqual(expect.any(Number));
    const { body } = await world.stage.call('GET', `/api/members/${rowOf(world, 'anna@example.com')?.id ?? ''}`, {
      as: world.stage.manager,
    });
    expect(body).toMatchObject({ role_source: 'provider', access: { role: 'reviewer', applications: ['bot'] } });
  });

  it('loses everything at the next sign-in without a group, and has it again with one', async () => {
    const world = open();
    const before = await world.signIn({ ...ANNA, groups: ['everybody'] });
    const left = await world.signIn({ ...ANNA, groups: ['other'] });
    expect([left.status, left.cookie, await isOpen(world, before.cookie)]).toEqual([403, '', false]);
    expect(left.page).toContain('none of your groups');
    expect(rowOf(world, 'anna@example.com')).toMatchObject({
      role_source: 'provider_left',
      disabled_at: expect.any(Number),
    });
    const entries = coresOf(world, 'anna@example.com').length;
    expect((await world.signIn({ ...ANNA, groups: [] })).status).toBe(403);
    expect(coresOf(world, 'anna@example.com')).toHaveLength(entries);
    expect(world.refusals).toEqual(['no_group', 'no_group']);
    expect((await world.signIn({ ...ANNA, groups: ['bot-reviewers'] })).status).toBe(200);
    expect(coresOf(world, 'anna@example.com').slice(1)).toMatchObject([
      { changes: ['disabled', 'role_source_changed'], role_source: 'provider_left', actor: PROVIDER },
      { changes: ['access_changed', 'enabled', 'role_source_changed'], role_source: 'provider', actor: PROVIDER },
    ]);
  });

  it('stays disabled where a manager says so, whatever the groups are', async () => {
    const world = open();
    await world.signIn({ ...ANNA, groups: ['everybody'] });
    await world.signIn({ ...ANNA, groups: [] });
    const path = `/api/members/${rowOf(world, 'anna@example.com')?.id ?? ''}`;
    await world.stage.call('PATCH', path, { as: world.stage.manager, body: { disabled: true } });
    expect((await world.signIn({ ...ANNA, groups: ['managers'] })).status).toBe(403);
    expect(world.refusals.at(-1)).toBe('member_disabled');
    await world.stage.call('PATCH', path, { as: world.stage.manager, body: { disabled: false } });
    expect((await world.signIn({ ...ANNA, groups: ['managers'] })).status).toBe(200);
  });

  it.each(['groups_not_sent', 'groups_not_texts', 'too_many_groups'])(
    'is not signed in and not changed where the groups are not known: %s',
    async (fault) => {
      const world = open();
      const session = await world.signIn({ ...ANNA, groups: ['managers'] });
      const before = world.stage.database.rows.workspace_entries.length;
      const reply = await world.signIn({ ...ANNA, groups: { reason: fault } });
      expect([reply.status, reply.cookie]).toEqual([403, '']);
      expect(reply.page).toContain('does not say in which groups');
      expect(world.refusals).toEqual([fault]);
      expect(world.stage.database.rows.workspace_entries).toHaveLength(before);
      expect(await isOpen(world, session.cookie)).toBe(true);
    },
  );
});

describe('a member whom a manager added', () => {
  it('keeps their role, whatever their groups are, but where a row adopts them', async () => {
    const world = open();
    const member = await addWithPassword(world.stage, 'anna@example.com');
    for (const groups of [['managers'], []]) expect((await world.signIn({ ...ANNA, groups })).status).toBe(200);
    expect(coresOf(world, 'anna@example.com').at(-1)).toMatchObject({ role: 'member' });
    expect((await world.signIn({ ...ANNA, groups: ['adopted'] })).status).toBe(200);
    expect(coresOf(world, 'anna@example.com').at(-1)).toMatchObject({
      member_id: member.id,
      changes: ['access_changed', 'role_source_changed'],
      access: { role: 'auditor' },
    });
    expect((await world.signIn({ ...ANNA, groups: [] })).status).toBe(403);
  });

  it('who never set a password is not reached by a name', async () => {
    const world = open();
    await addMember(world.stage, 'anna@example.com');
    expect((await world.signIn({ ...ANNA, groups: ['managers', 'adopted'] })).status).toBe(403);
    expect(world.refusals).toEqual(['no_password_set_yet']);
  });
});

describe('a provider that moves everybody out of a group', () => {
  it('leaves the last manager, and says so; the others lose the role one by one', async () => {
    const world = open();
    const { rows } = world.stage.database;
    const people = ['one', 'two', 'three'].map((name) => ({
      subject: `subject-${name}`,
      name: { name, isVerifiedAddress: false },
    }));
    for (const person of people) await world.signIn({ ...person, groups: ['managers'] });
    // The manager whom no provider knows is gone.
    const [first] = rows.members;
    await world.stage.call('DELETE', `/api/members/${first?.id ?? ''}`, { as: world.stage.manager });
    const moved: number[] = [];
    for (const person of people) moved.push((await world.signIn({ ...person, groups: [] })).status);
    expect(moved).toEqual([403, 403, 200]);
    expect(world.kept()).toBe(1);
    const sources = rows.members.map((row) => [row.role_source, row.disabled_at === null, row.role]);
    expect(sources.filter(([source]) => source === 'provider_left')).toEqual([
      ['provider_left', false, 'manager'],
      ['provider_left', false, 'manager'],
    ]);
    expect(sources.filter(([source]) => source === 'provider_kept')).toEqual([['provider_kept', true, 'manager']]);
    // Once more it is said, and no entry more; when another manager can act, it is as the groups say.
    const last = people.find(({ name }) =>
      rows.members.some((row) => row.username === name.name && row.disabled_at === null),
    );
    if (last === undefined) throw new Error('somebody stayed');
    const entries = coresOf(world, last.name.name).length;
    expect((await world.signIn({ ...last, groups: ['everybody'] })).status).toBe(200);
    expect([world.kept(), coresOf(world, last.name.name).length]).toEqual([2, entries]);
    await world.signIn({
      subject: 'new',
      name: { name: 'new-manager', isVerifiedAddress: false },
      groups: ['managers'],
    });
    expect((await world.signIn({ ...last, groups: ['everybody'] })).status).toBe(200);
    expect(coresOf(world, last.name.name).at(-1)).toMatchObject({
      changes: ['role_changed', 'access_changed', 'role_source_changed'],
      role_source: 'provider',
    });
  });
});
