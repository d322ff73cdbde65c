import { describe, expect, it } from '@jest/globals';
import { systemRandom } from '@answer-evidence/node-crypto';
import type { TokenKeyRow } from '@answer-evidence/tables';
import { openTokenKeys, type TokenKeyOptions } from './token-keys.ts';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const NOW = 20_000 * DAY;
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';

/** An installation in memory, which several processes open. */
function createInstallation() {
  const rows: TokenKeyRow[] = [];
  const clock = { now: NOW, nowMicros: () => clock.now };
  const open = (more: Partial<TokenKeyOptions> = {}) =>
    openTokenKeys({
      store: {
        list: () => Promise.resolve([...rows]),
        add(row) {
          if (rows.some(({ generation }) => generation === row.generation)) return Promise.resolve(false);
          rows.push({ ...row, wrapped_seed: row.wrapped_seed.slice() });
          return Promise.resolve(true);
        },
      },
      vault: { wrap: (_, secret) => secret.slice(), unwrap: (_, wrapped) => wrapped.slice() },
      clock,
      random: systemRandom,
      monotonicMs: () => 0,
      wait: () => Promise.resolve(),
      ageDays: 90,
      leadSeconds: 3_600,
      ...more,
    });
  return { rows, clock, open };
}

const claimsAt = (now: number, lifeMicros = 90 * DAY) => ({
  tokenId: '0199f3c2-0000-7000-8000-0000000000aa',
  workspaceId: WORKSPACE,
  applicationKey: 'bot',
  scopes: [],
  issuedAt: now,
  expiresAt: now + lifeMicros,
});
const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

describe('token keys', () => {
  it('begin with one that signs at once, anyone who of several processes makes it', async () => {
    const { rows, open } = createInstallation();
    const [first, second] = await Promise.all([open(), open()]);
    expect(rows).toHaveLength(1);
    const token = await first.tokens.sign(claimsAt(NOW));
    expect(await second.tokens.verify(token, NOW)).toBeDefined();
  });

  it('are rotated after the lead: published at once, signing only then, and everywhere without being told', async () => {
    const { clock, open } = createInstallation();
    const [first, second] = [await open(), await open()];
    const before = await first.tokens.sign(claimsAt(NOW));
    expect(await first.rotate('after-lead')).toBe(true);
    expect(await second.rotate('after-lead')).toBe(false);
    await Promise.all([
      first.ticker.run(new AbortController().signal),
      second.ticker.run(new AbortController().signal),
    ]);
    for (const process of [first, second]) {
      expect(process.tokens.publicKeys(clock.now).keys).toHaveLength(2);
      expect(kidOf(await process.tokens.sign(claimsAt(clock.now)))).toBe(kidOf(before));
    }
    clock.now += 3_600 * SECOND;
    const after = await second.tokens.sign(claimsAt(clock.now));
    expect(kidOf(after)).not.toBe(kidOf(before));
    for (const process of [first, second])
      for (const token of [before, after]) expect(await process.tokens.verify(token, clock.now)).toBeDefined();
    expect((await first.list()).map(({ state }) => state)).toEqual(['retired', 'active']);
  });

  it('that are rotated at once are known to a process that has not looked since', async () => {
    const { clock, open } = createInstallation();
    const [first, second] = [await open(), await open()];
    expect(await first.rotate('at-once')).toBe(true);
    await first.ticker.run(new AbortController().signal);
    const token = await first.tokens.sign(claimsAt(clock.now));
    expect((await first.list()).map(({ state }) => state)).toEqual(['retired', 'active']);
    expect(await second.tokens.verify(token, clock.now)).toBeDefined();
  });

  it('are rotated by age, once, whichever processes notice', async () => {
    const { rows, clock, open } = createInstallation();
    const [first, second] = [await open(), await open()];
    const tick = () => Promise.all([first, second].map(({ ticker }) => ticker.run(new AbortController().signal)));
    clock.now = NOW + 90 * DAY - 3_600 * SECOND - 1;
    await tick();
    expect(rows).toHaveLength(1);
    clock.now += 1;
    await tick();
    await tick();
    expect(rows.map((row) => row.signs_from)).toEqual([NOW, NOW + 90 * DAY]);
    expect((await second.list()).map(({ state }) => state)).toEqual(['active', 'next']);
  });

  it('verify a token of a retired key until it expires, and a forged one of that key not for ever', async () => {
    const { clock, open } = createInstallation();
    const keys = await open();
    await keys.rotate('after-lead');
    await keys.ticker.run(new AbortController().signal);
    const signedAt = NOW + 3_600 * SECOND - SECOND;
    const token = await keys.tokens.sign(claimsAt(signedAt));
    const forged = await keys.tokens.sign(claimsAt(signedAt, 1_000 * DAY));
    expect(await keys.tokens.verify(token, signedAt + 90 * DAY - 1)).toBeDefined();
    expect(await keys.tokens.verify(token, signedAt + 90 * DAY)).toBe('expired');
    clock.now = signedAt + 92 * DAY;
    expect(await keys.tokens.verify(forged, clock.now)).toBeUndefined();
    expect((await keys.list()).map(({ state }) => state)).toEqual(['expired', 'active']);
  });
});
