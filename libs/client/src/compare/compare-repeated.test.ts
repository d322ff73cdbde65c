import { describe, expect, it } from '@jest/globals';
import { createScript, ID, json } from '../../fixtures/scripted-client.ts';
import { compareLines, compareRepeated } from './compare-repeated.ts';

const OTHER = ID.replace(/1$/, '2');
const AT = '2026-11-20T09:00:00.000000Z';
const mismatch = expect.objectContaining({ code: 'response_mismatch' });

describe('what a response repeats of its request', () => {
  it('is compared where both have it, but for the version, which goes on', () => {
    const sent = { name: 'a', role: 'member', disabled: false, version: 1, list: ['a'], reset: null, gone: undefined };
    expect(compareRepeated(sent, { name: 'a', role: 'member', disabled: false, version: 2, list: ['b'] })).toEqual([]);
    expect(compareRepeated(sent, { name: 'b', role: 'manager', disabled: true })).toEqual([
      '/name',
      '/role',
      '/disabled',
    ]);
  });

  it('is compared but for the time of the change before, which a policy or settings are sent back with', () => {
    const sent = { public_log: true, version: 1, updated_at: AT };
    expect(compareRepeated(sent, { public_log: true, version: 2, updated_at: AT.replace('09', '10') })).toEqual([]);
  });

  it('is compared line by line in an export', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const filters = { application_key: 'bot', environment: undefined };
    expect(compareLines(filters, bytes('{"application_key":"bot"}\n'))).toEqual([]);
    expect(compareLines(filters, bytes('{"application_key":"bot"}\n{"application_key":"b"}\n{\n'))).toEqual([
      '/1/application_key',
      '/2/application_key',
    ]);
    expect(compareLines({}, bytes('anything\n'))).toEqual([]);
  });
});

describe('an operation refuses the response to another call', () => {
  it('of signing in', async () => {
    const token = { id: ID, name: 'n', kind: 'user', application_key: null, scopes: [], user_id: ID, created_at: AT };
    const profile = { username: 'Eve', tenant_slug: 'demo', tenant_display_name: 'Demo', role: 'member' };
    const ended = { expires_at: AT, revoked_at: null, last_used_at: null };
    const reply = () => json(200, { ...token, ...ended, token: 't', base_url: null, profile });
    const { client } = createScript([reply(), reply()]);
    const login = (username: string) => client.auth.login({ username, password: 'p' });
    await expect(login('ada')).rejects.toEqual(mismatch);
    await expect(login('eve')).resolves.toMatchObject({ token: 't' });
  });

  it('of a replay', async () => {
    const reply = () => json(202, { id: OTHER, topic: 't', replayed_at: AT });
    await expect(createScript([reply()]).client.deadLetters.replay(ID)).rejects.toEqual(mismatch);
    await expect(createScript([reply()]).client.deadLetters.replay(OTHER)).resolves.toMatchObject({ id: OTHER });
  });

  it('of a list of what came by OpenTelemetry', async () => {
    const keys = { application_key: 'bot', environment: 'production', idempotency_key: 'k', answer_log_id: null };
    const trace = {
      signal: 'span',
      trace_id: null,
      span_id: null,
      reason: 'given_up',
      received_at: AT,
      unattached_at: AT,
    };
    const page = { page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
    const reply = () => json(200, { ...page, items: [{ id: ID, ...keys, ...trace }] });
    const { otel } = createScript([reply(), reply()]).client;
    await expect(otel.unattached({ application_key: 'other' })).rejects.toEqual(mismatch);
    await expect(otel.unattached({ application_key: 'bot', reason: 'given_up' })).resolves.toMatchObject({ total: 1 });
  });
});
