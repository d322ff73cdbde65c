import { describe, expect, it } from '@jest/globals';
import type { Route } from '@answer-evidence/routes';
import type { Exchange } from '../http/exchange.ts';
import { parseRateLimits } from './parse-rate-limits.ts';
import { createRequestLimits } from './request-limits.ts';

/** More than a quarter of the keys that are told apart. */
const MANY = 5_500;
const ROUTE = { rateLimit: 'default' } as Route;

function open() {
  const limits = createRequestLimits({ limits: parseRateLimits('default=1/h'), trustedProxies: 0 });
  const isTaken = (count: (exchange: Exchange) => void): boolean => {
    try {
      count({ startedMs: 1, rateLimit: '', rateLimitPolicy: '' } as Exchange);
      return true;
    } catch {
      return false;
    }
  };
  const visit = (remoteAddress: string) =>
    isTaken((exchange) => limits.countVisitor(ROUTE, { headers: {}, socket: { remoteAddress } }, exchange));
  const call = (workspaceId: string, tokenId: string) =>
    isTaken((exchange) => limits.countCaller(ROUTE, { workspaceId, tokenId }, exchange));
  return { visit, call };
}

describe('keys beyond the room of their group', () => {
  it.each<[string, (n: number) => string, readonly string[]]>([
    ['IPv4', (n) => `203.0.${n >> 8}.${n & 255}`, ['203.1.0.1', '198.51.100.7', '2001:db8::1']],
    ['IPv6', (n) => `2001:db8:1:${n.toString(16)}::1`, ['2001:db8:2:1::1', '198.51.100.7']],
  ])('of one network have a count together, and no other address waits: %s', (_, addressOf, others) => {
    const { visit } = open();
    const taken = Array.from({ length: MANY }, (__, n) => visit(addressOf(n)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(5_001);
    for (const other of others) expect([other, visit(other), visit(other)]).toEqual([other, true, false]);
  });

  it('of one workspace have a count together, and no other workspace waits', () => {
    const { call } = open();
    const taken = Array.from({ length: MANY }, (_, n) => call('one', `token ${n}`));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(5_001);
    expect([call('another', 'a token'), call('another', 'a token'), call('another', 'its second')]).toEqual([
      ...[true, false, true],
    ]);
  });
});
