import { describe, expect, it } from '@jest/globals';
import { addressKey, findClientAddress, parseTrustedProxies, type TrustedProxies } from './client-address.ts';

function find(remoteAddress: string | undefined, forwarded: string | undefined, trusted: TrustedProxies): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return findClientAddress({ socket: { remoteAddress }, headers }, trusted);
}

describe('the client’s address', () => {
  it('is that of the connection while no proxy is trusted, whatever the header says', () => {
    expect(find('9.9.9.9', '1.1.1.1', 0)).toBe('9.9.9.9');
    expect(find('9.9.9.9', '1.1.1.1', parseTrustedProxies('10.0.0.0/8'))).toBe('9.9.9.9');
    expect(find(undefined, undefined, 0)).toBe('unknown');
  });

  it.each([
    [1, '1.1.1.1, 2.2.2.2, 3.3.3.3', '3.3.3.3'],
    [2, '1.1.1.1, 2.2.2.2, 3.3.3.3', '2.2.2.2'],
    [10, '1.1.1.1, 2.2.2.2', '1.1.1.1'],
    [1, '', '10.0.0.1'],
    [1, 'unknown', '10.0.0.1'],
    [2, 'made-up, 3.3.3.3', '3.3.3.3'],
  ])('behind %d proxies in a row, with %j, is what the outermost of them saw', (hops, forwarded, expected) => {
    expect(find('10.0.0.1', forwarded, hops)).toBe(expected);
  });

  it.each([
    ['1.1.1.1', '1.1.1.1'],
    ['6.6.6.6, 1.1.1.1, 10.2.3.4', '1.1.1.1'],
    ['10.9.9.9', '10.9.9.9'],
    ['1.1.1.1, ::ffff:10.2.3.4', '1.1.1.1'],
    ['1.1.1.1, fd00::5', '1.1.1.1'],
    ['fd00::5, 2001:DB8:0:0::7', '2001:db8::7'],
  ])('behind proxies that are named, with %j, is the nearest that is none of them', (forwarded, expected) => {
    expect(find('::ffff:10.0.0.1', forwarded, parseTrustedProxies('10.0.0.0/8, fd00::/8'))).toBe(expected);
  });

  it('cannot be chosen by the client: what it adds in front changes nothing', () => {
    for (const made of ['', '10.0.0.2, ', '1.2.3.4, 10.0.0.2, ', 'x, '])
      expect(find('10.0.0.1', `${made}5.5.5.5`, parseTrustedProxies('10.0.0.0/8'))).toBe('5.5.5.5');
  });

  it('of IPv6 is counted by its /64, however it is spelt', () => {
    const key = '2001:db8:0:7::/64';
    for (const address of ['2001:db8:0:7::1', '2001:db8:0:7:ffff:1:2:3', '2001:db8:0:7::'])
      expect(addressKey(address)).toBe(key);
    expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(addressKey('::1')).toBe('0:0:0:0::/64');
    expect(addressKey('127.0.0.1')).toBe('127.0.0.1');
    expect(addressKey('unknown')).toBe('unknown');
  });
});
