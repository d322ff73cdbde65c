import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeviceLoginRow, DeviceLoginStore } from '@answer-evidence/ports';
import { createFakeDeviceLogins } from '@answer-evidence/testing';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createDeviceLoginStore } from './device-login-store.ts';

const SECOND = 1_000_000;
const MAX = { address: 1_000, workspace: 1_000 };
const OTHER = '0199f3c2-0000-7000-8000-00000000000b';
let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});
afterAll(() => log.close());

describe.each([
  ['on PostgreSQL', () => createDeviceLoginStore(log.pool, log.vault)],
  ['in memory', createFakeDeviceLogins],
])('the sign-ins of devices, %s', (_, open) => {
  let store: DeviceLoginStore;
  let now = 0;
  let codes = 0;
  beforeAll(() => {
    store = open();
    now = log.clock.nowMicros();
  });

  const decision = () =>
    ({ kind: 'approved', memberId: log.newId(), credentialEntryId: log.newId(), tokenId: log.newId() }) as const;
  async function begin(more: Partial<DeviceLoginRow> = {}, max = MAX) {
    const secret = log.random.bytes(32);
    const userCode = `BCDFGH${'BCDFGHJKLM'[Math.floor(codes / 10) % 10]}${'BCDFGHJKLM'[codes++ % 10]}`;
    const login: DeviceLoginRow = {
      workspaceId: log.workspace.id,
      clientName: 'a "device" ✓',
      address: '192.0.2.1',
      tokenName: null,
      tokenLifeSeconds: 3600,
      requestedAt: now,
      expiresAt: now + 600 * SECOND,
      ...more,
    };
    return { secret, userCode, login, outcome: await store.add(secret, userCode, login, max) };
  }

  it('wait, are found by their code in their workspace alone, and are decided once', async () => {
    const { secret, userCode, login } = await begin();
    expect(await store.findPending(log.workspace.id, userCode, now)).toEqual(login);
    expect(await store.findPending(OTHER, userCode, now)).toBeUndefined();
    expect(await store.decide(OTHER, userCode, decision(), now)).toBe(false);
    expect(await store.poll(secret, now)).toMatchObject({ login, decision: undefined, isTooSoon: false });
    const made = decision();
    expect(await store.decide(log.workspace.id, userCode, made, now)).toBe(true);
    expect(await store.decide(log.workspace.id, userCode, { kind: 'denied' }, now)).toBe(false);
    expect(await store.findPending(log.workspace.id, userCode, now)).toBeUndefined();
    expect(await store.poll(secret, now + 10 * SECOND)).toMatchObject({ decision: made });
  });

  it('are redeemed once, by one of many who ask at once, and only when approved', async () => {
    const [approved, denied, waiting] = [await begin(), await begin(), await begin()];
    await store.decide(log.workspace.id, approved.userCode, decision(), now);
    await store.decide(log.workspace.id, denied.userCode, { kind: 'denied' }, now);
    const redeemed = await Promise.all([1, 2, 3, 4].map(() => store.redeem(approved.secret)));
    expect(redeemed.filter(Boolean)).toHaveLength(1);
    expect(await store.poll(approved.secret, now)).toBeUndefined();
    expect([await store.redeem(denied.secret), await store.redeem(waiting.secret)]).toEqual([false, false]);
    expect(await store.poll(denied.secret, now)).toMatchObject({ decision: { kind: 'denied' } });
  });

  it('have a longer interval each time that a device asks too soon', async () => {
    const { secret } = await begin();
    const ask = async (seconds: number) => {
      const polled = await store.poll(secret, now + seconds * SECOND);
      return [polled?.isTooSoon, polled?.intervalSeconds];
    };
    expect([await ask(0), await ask(4.8), await ask(6), await ask(15), await ask(31)]).toEqual([
      ...[
        [false, 5],
        [false, 5],
        [true, 10],
        [true, 15],
        [false, 15],
      ],
    ]);
    for (let times = 0; times < 20; times++) await ask(31);
    expect(await ask(31)).toEqual([true, 60]);
  });

  it('are none once they have expired, and are forgotten as others come', async () => {
    const { secret, userCode, login } = await begin({ expiresAt: now + SECOND });
    const late = now + SECOND;
    expect(await store.poll(secret, late)).toBeUndefined();
    expect(await store.findPending(log.workspace.id, userCode, late)).toBeUndefined();
    expect(await store.decide(log.workspace.id, userCode, decision(), late)).toBe(false);
    await begin({ requestedAt: late });
    expect(await store.poll(secret, login.requestedAt)).toBeUndefined();
  });

  it('are no two under one code', async () => {
    const first = await begin();
    expect(await store.add(log.random.bytes(32), first.userCode, first.login, MAX)).toBe('taken');
  });

  const isThere = async ({ secret }: { readonly secret: Uint8Array }) => (await store.poll(secret, now)) !== undefined;
  const areThere = async (some: readonly { readonly secret: Uint8Array }[]) => {
    const there: boolean[] = [];
    for (const one of some) there.push(await isThere(one));
    return there;
  };
  /** Begins some, a second apart each. */
  async function beginSome(count: number, more: Partial<DeviceLoginRow>, max = MAX) {
    const begun: Awaited<ReturnType<typeof begin>>[] = [];
    for (let at = 0; at < count; at++) begun.push(await begin({ ...more, expiresAt: now + (500 + at) * SECOND }, max));
    return begun;
  }

  it('make room for newer ones of their address, and for nobody else’s', async () => {
    const max = { address: 3, workspace: 1_000 };
    const workspaceId = log.newId();
    const other = await begin({ workspaceId, address: '192.0.2.2' });
    const [approved] = await beginSome(1, { workspaceId, address: '192.0.2.3' });
    await store.decide(workspaceId, approved?.userCode ?? '', decision(), now);
    const own = await beginSome(5, { workspaceId, address: '192.0.2.3' }, max);
    expect(own.map(({ outcome }) => outcome)).toEqual(own.map(() => 'added'));
    expect(await areThere(own)).toEqual([false, false, true, true, true]);
    expect(await areThere([other, ...(approved === undefined ? [] : [approved])])).toEqual([true, true]);
  });

  it('make no room for others once they are approved, nor others for them', async () => {
    const max = { address: 2, workspace: 3 };
    const [workspaceId, address] = [log.newId(), '192.0.2.8'];
    const approved = [];
    for (let n = 0; n < 5; n++) {
      const begun = await begin({ workspaceId, address }, max);
      expect(await store.decide(workspaceId, begun.userCode, decision(), now)).toBe(true);
      approved.push(begun);
    }
    const pending = await beginSome(2, { workspaceId, address }, max);
    const other = await begin({ workspaceId, address: '192.0.2.9' }, max);
    expect(await areThere([...approved, ...pending, other])).toEqual(new Array(8).fill(true));
  });

  it('for one workspace, or for none, take no room of another one', async () => {
    const max = { address: 1_000, workspace: 3 };
    const [workspaceId, another] = [log.newId(), log.newId()];
    const waiting = await begin({ workspaceId, address: '192.0.2.4' }, max);
    await beginSome(5, { workspaceId: another, address: '192.0.2.5' }, max);
    await beginSome(5, { workspaceId: null, address: '192.0.2.6' }, max);
    expect(await isThere(waiting)).toBe(true);
    expect(await isThere(await begin({ workspaceId, address: '192.0.2.7' }, max))).toBe(true);
  });

  it('go first from the address with the most, where a workspace has too many', async () => {
    const max = { address: 1_000, workspace: 4 };
    const workspaceId = log.newId();
    const lone = await begin({ workspaceId, address: '192.0.2.8' }, max);
    const many = await beginSome(6, { workspaceId, address: '192.0.2.9' }, max);
    expect(await isThere(lone)).toBe(true);
    expect(await areThere(many)).toEqual([false, false, false, true, true, true]);
    const next = await begin({ workspaceId, address: '192.0.2.10' }, max);
    expect(await areThere([lone, next, ...many.slice(3)])).toEqual([true, true, false, true, true]);
  });

  it('hold their bounds when many begin at once, at the latest with the next one', async () => {
    const max = { address: 5, workspace: 1_000 };
    const [workspaceId, address] = [log.newId(), '192.0.2.11'];
    const together = await Promise.all(Array.from({ length: 20 }, () => begin({ workspaceId, address }, max)));
    const last = await begin({ workspaceId, address }, max);
    expect((await areThere([...together, last])).filter(Boolean)).toHaveLength(5);
    expect(await isThere(last)).toBe(true);
  });
});

describe('what is stored of the sign-in of a device', () => {
  const login = (): DeviceLoginRow => ({
    ...{ workspaceId: log.workspace.id, clientName: 'my-laptop', address: '192.0.2.77', tokenName: 'a-name' },
    ...{ tokenLifeSeconds: 60, requestedAt: log.clock.nowMicros(), expiresAt: log.clock.nowMicros() + 600 * SECOND },
  });

  it('holds neither code, nor anything that the device said', async () => {
    const secret = log.random.bytes(32);
    await createDeviceLoginStore(log.pool, log.vault).add(secret, 'ZZZZXXXX', login(), MAX);
    const { rows } = await log.owner.query<object>('select d::text from answer_evidence.device_logins d');
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    for (const hidden of ['ZZZZXXXX', 'my-laptop', '192.0.2.77', 'a-name']) {
      expect(text).not.toContain(hidden);
      expect(text).not.toContain(Buffer.from(hidden).toString('hex'));
    }
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it.each([
    [
      'approves it',
      `status = 'approved', member_id = gen_random_uuid(), credential_entry_id = gen_random_uuid(),
       token_id = gen_random_uuid()`,
    ],
    ['gives it to another workspace', 'workspace_id = gen_random_uuid()'],
    ['prolongs it', 'expires_at = expires_at + 1'],
    [
      'changes what was asked for',
      `details = (select details from answer_evidence.device_logins where key <> $1 limit 1)`,
    ],
  ])('is worth nothing after somebody who can write to the database %s', async (_, change) => {
    const store = createDeviceLoginStore(log.pool, log.vault);
    const secret = log.random.bytes(32);
    const userCode = [...log.random.bytes(8)].map((byte) => 'BCDFGHJKLMNPQRSTVWXZ'[byte % 20]).join('');
    await store.add(secret, userCode, login(), MAX);
    const { rows } = await log.owner.query<{ key: Uint8Array }>(
      'select key from answer_evidence.device_logins order by expires_at desc, key',
    );
    const now = log.clock.nowMicros();
    expect(await store.poll(secret, now)).toBeDefined();
    const { createHash } = await import('node:crypto');
    const key = createHash('sha256').update(secret).digest();
    expect(rows.length).toBeGreaterThan(1);
    await log.owner.query(`update answer_evidence.device_logins set ${change} where key = $1`, [key]);
    expect(await store.poll(secret, now)).toBeUndefined();
    expect(await store.findPending(log.workspace.id, userCode, now)).toBeUndefined();
  });
});
