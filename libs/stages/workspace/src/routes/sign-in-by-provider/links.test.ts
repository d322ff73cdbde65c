import { describe, expect, it } from '@jest/globals';
import { memberCore, type MemberWithLink } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { ProvenName } from '@answer-evidence/ports';
import { addMember, addWithPassword } from '../../../fixtures/accounts.ts';
import { signBrowserIn } from '../../../fixtures/console.ts';
import { isOpen, ISSUER, openProviderWorld } from '../../../fixtures/provider-world.ts';

const SUBJECT = 'auth0|Abc123';

const anna = (name: string, isVerifiedAddress = true): ProvenName => ({ name, isVerifiedAddress });

describe('a member who is linked to a subject', () => {
  it('signs in by it, without a password and before any claim is read', async () => {
    const world = openProviderWorld();
    const member = await addMember(world.stage, 'anna');
    expect(await world.link(member, { issuer: ISSUER, subject: SUBJECT })).toMatchObject({
      status: 200,
      body: { provider: { issuer: ISSUER, subject: SUBJECT }, version: 2 },
    });
    const reply = await world.signIn({ subject: SUBJECT, name: anna('somebody-else') });
    expect([reply.status, world.namesRead()]).toEqual([200, 0]);
    expect(await isOpen(world, reply.cookie)).toBe(true);
  });

  it('is not reached by name from another subject, nor by the subject of another issuer', async () => {
    const world = openProviderWorld();
    const member = await addWithPassword(world.stage, 'anna@example.com');
    expect((await world.signIn({ subject: 'other', name: anna('Anna@Example.com') })).status).toBe(200);
    await world.link(member, { issuer: ISSUER, subject: SUBJECT });
    for (const other of [
      { subject: 'other' },
      { subject: SUBJECT.toLowerCase() },
      { subject: SUBJECT, issuer: `${ISSUER}/` },
    ])
      expect((await world.signIn({ ...other, name: anna('anna@example.com') })).status).toBe(403);
    expect(world.refusals).toEqual(Array.from({ length: 3 }, () => 'linked_to_another_subject'));
    expect((await world.signIn({ subject: SUBJECT })).status).toBe(200);
  });

  it('keeps the session until the link is undone or replaced; the session by password stays open', async () => {
    const world = openProviderWorld();
    const member = await addWithPassword(world.stage, 'anna');
    const byPassword = await signBrowserIn(world.stage, 'anna');
    await world.link(member, { issuer: ISSUER, subject: SUBJECT });
    const first = await world.signIn({ subject: SUBJECT });
    await world.link(member, { issuer: ISSUER, subject: 'another' });
    expect(await isOpen(world, first.cookie)).toBe(false);
    expect((await world.signIn({ subject: SUBJECT })).status).toBe(401);
    const second = await world.signIn({ subject: 'another' });
    expect(await isOpen(world, second.cookie)).toBe(true);
    expect(await world.link(member, null)).toMatchObject({ status: 200, body: { provider: null } });
    expect([await isOpen(world, second.cookie), await isOpen(world, byPassword.cookie)]).toEqual([false, true]);
  });

  it('is not signed in when disabled, when removed, and when somebody altered the row', async () => {
    const world = openProviderWorld();
    const [disabled, removed, altered] = [
      await addMember(world.stage, 'disabled'),
      await addMember(world.stage, 'removed'),
      await addMember(world.stage, 'altered'),
    ];
    for (const member of [disabled, removed, altered])
      await world.link(member, { issuer: ISSUER, subject: member.username });
    const path = (member: MemberWithLink) => `/api/members/${member.id}`;
    await world.stage.call('PATCH', path(disabled), { as: world.stage.manager, body: { disabled: true } });
    await world.stage.call('DELETE', path(removed), { as: world.stage.manager });
    const { rows } = world.stage.database;
    expect(rows.provider_links.map(({ subject }) => subject).toSorted()).toEqual(['altered', 'disabled']);
    rows.provider_links = rows.provider_links.map((row) =>
      row.subject === 'altered' ? { ...row, subject: 'intruder' } : row,
    );
    for (const subject of ['disabled', 'removed', 'intruder'])
      expect([subject, (await world.signIn({ subject, name: anna(subject) })).status]).toEqual([subject, 403]);
    expect(world.refusals).toEqual(['member_disabled', 'no_such_member', 'provider_link_altered']);
  });
});

describe('somebody whom the provider vouches for, and who is linked to nobody', () => {
  it('is shown who they are there, as text', async () => {
    const world = openProviderWorld();
    const reply = await world.signIn({ subject: '<b>"&', name: anna('nobody') });
    expect([reply.status, reply.cookie]).toEqual([403, '']);
    expect(reply.page).toContain('<code>&lt;b>&quot;&amp;</code>');
    expect(reply.page).toContain(`<code>${ISSUER}</code>`);
    const unnamed = await world.signIn({ subject: 'only-a-subject' });
    expect([unnamed.status, unnamed.page.includes('<code>only-a-subject</code>')]).toEqual([401, true]);
    expect(unnamed.page).not.toContain('nobody');
  });
});

describe('the first sign-in by name', () => {
  it('links nobody unless the operator said so', async () => {
    const world = openProviderWorld();
    await addWithPassword(world.stage, 'anna@example.com');
    expect((await world.signIn({ subject: SUBJECT, name: anna('anna@example.com') })).status).toBe(200);
    expect(world.stage.database.rows.provider_links).toEqual([]);
  });

  it('links the member in the log where the operator said so, and nobody else gets in by the name from then on', async () => {
    const world = openProviderWorld(true);
    const member = await addWithPassword(world.stage, 'anna@example.com');
    const first = await world.signIn({ subject: SUBJECT, name: anna('Anna@example.com') });
    expect([first.status, await isOpen(world, first.cookie)]).toEqual([200, true]);
    const cores = world.stage.database.rows.workspace_entries
      .filter(({ type }) => type === 'member_changed')
      .map((row) => memberCore.parse(parseJsonText(row.core_json)));
    expect(cores.at(-1)).toMatchObject({
      changes: ['provider_linked'],
      provider: { issuer: ISSUER, subject: SUBJECT },
      actor: { kind: 'user', id: member.id, token_id: null },
    });
    expect((await world.signIn({ subject: SUBJECT })).status).toBe(200);
    expect((await world.signIn({ subject: 'successor', name: anna('anna@example.com') })).status).toBe(403);
    expect(world.refusals).toEqual(['linked_to_another_subject']);
  });

  it('links nobody who has set no password', async () => {
    const world = openProviderWorld(true);
    await addMember(world.stage, 'anna@example.com');
    expect((await world.signIn({ subject: SUBJECT, name: anna('anna@example.com') })).status).toBe(403);
    expect(world.stage.database.rows.provider_links).toEqual([]);
  });
});

describe('a link that is refused', () => {
  it.each([
    ['no issuer, where people sign in at no provider', { subject: 'a' }, '/provider/issuer'],
    ['an issuer that is no address', { subject: 'a', issuer: 'example' }, '/provider/issuer'],
    ['an empty subject', { subject: '', issuer: ISSUER }, '/provider/subject'],
    ['a subject with U+0001', { subject: 'a\u0001', issuer: ISSUER }, '/provider/subject'],
    ['a subject of 256 characters', { subject: 'a'.repeat(256), issuer: ISSUER }, '/provider/subject'],
  ])('names the member of the body: %s', async (_, provider, pointer) => {
    const world = openProviderWorld();
    const reply = await world.link(await addMember(world.stage, 'anna'), provider);
    expect(reply).toMatchObject({ status: 422, code: 'schema_violation', errors: [{ pointer }] });
  });

  it('has the subject of another member', async () => {
    const world = openProviderWorld();
    await world.link(await addMember(world.stage, 'anna'), { issuer: ISSUER, subject: SUBJECT });
    const reply = await world.link(await addMember(world.stage, 'ben'), { issuer: ISSUER, subject: SUBJECT });
    expect(reply).toMatchObject({ status: 409, code: 'name_taken', errors: [{ pointer: '/provider/subject' }] });
    expect(JSON.stringify(reply)).toContain('anna');
  });
});
