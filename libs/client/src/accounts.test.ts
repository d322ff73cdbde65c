import { describe, expect, it } from '@jest/globals';
import { createClient } from './client.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const AT = '2026-11-20T09:00:00.000000Z';
const member = {
  id: ID,
  username: 'anna',
  role: 'member',
  disabled: false,
  sign_in: 'link',
  created_at: AT,
  disabled_at: null,
  removed_at: null,
  version: 1,
};
const withLink = {
  ...member,
  password_link: { url: 'https://host/auth/password#aep_x', secret: 'aep_x', expires_at: AT },
};
const page = { items: [member], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
const profile = { username: 'anna', tenant_slug: 'demo', tenant_display_name: 'Demo', role: 'member' };
const login = {
  id: ID,
  name: 'login-anna-0000',
  kind: 'user',
  application_key: null,
  scopes: [],
  user_id: ID,
  created_at: AT,
  expires_at: AT,
  revoked_at: null,
  last_used_at: null,
  token: 'aeu_new',
  base_url: null,
  profile,
};

/** A client whose host gives these answers, and what was sent to it. */
function scripted(replies: readonly Response[], token?: string) {
  const sent: { call: string; authorization: string | null; body: unknown }[] = [];
  const left = [...replies];
  const client = createClient({
    registry: 'https://host',
    ...(token === undefined ? {} : { token }),
    wait: () => Promise.resolve(),
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      sent.push({ call: `${init?.method} ${path}`, authorization: headers.get('authorization'), body });
      const reply = left.shift();
      return reply === undefined ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(reply);
    },
  });
  return { client, sent };
}

describe('signing in', () => {
  it('needs no token, and sends none even when there is one', async () => {
    for (const token of [undefined, 'aeu_old']) {
      const { client, sent } = scripted([Response.json(login), Response.json(profile)], token);
      expect(await client.auth.login({ username: 'anna', password: 'p' })).toEqual(login);
      expect(await client.auth.setPassword({ secret: 'aep_x', password: 'p' })).toEqual(profile);
      expect(sent.map(({ call, authorization }) => [call, authorization])).toEqual([
        ['POST /api/auth/login', null],
        ['POST /api/auth/password', null],
      ]);
    }
  });

  it('is not repeated when no answer came: a token may have been issued', async () => {
    const { client, sent } = scripted([]);
    await expect(client.auth.login({ username: 'anna', password: 'secret words' })).rejects.toThrow('no response');
    expect(sent).toHaveLength(1);
  });

  it('ends the token of the client', async () => {
    const { client, sent } = scripted([new Response(null, { status: 204 })], 'aeu_old');
    await client.auth.logout();
    expect(sent).toEqual([{ call: 'POST /api/auth/logout', authorization: 'Bearer aeu_old', body: undefined }]);
  });
});

describe('a client without a token', () => {
  it('sends nothing that needs one', async () => {
    const { client, sent } = scripted([Response.json({ items: [] })]);
    await expect(client.members.list()).rejects.toThrow(new TypeError('this request needs a token'));
    expect(sent).toEqual([]);
  });
});

describe('members', () => {
  it('are listed, added, changed and removed', async () => {
    const replies = [
      Response.json(page),
      Response.json(withLink, { status: 201 }),
      Response.json({ ...member, disabled: true, password_link: null }),
      new Response(null, { status: 204 }),
    ];
    const { client, sent } = scripted(replies, 'aeu_x');
    expect(await client.members.list()).toEqual(page);
    expect(await client.members.add({ username: 'anna' })).toEqual(withLink);
    expect(await client.members.change(ID, { disabled: true })).toMatchObject({ disabled: true, password_link: null });
    await client.members.remove(ID);
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      ['GET /api/members', undefined],
      ['POST /api/members', { username: 'anna' }],
      [`PATCH /api/members/${ID}`, { disabled: true }],
      [`DELETE /api/members/${ID}`, undefined],
    ]);
  });
});
