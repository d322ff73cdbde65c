import { describe, expect, it } from '@jest/globals';
import { parseRedisAddress, placeOfRedis } from './redis-address.ts';

describe('the address of a Redis', () => {
  it('is that of one server', () => {
    expect(parseRedisAddress('redis://cache')).toEqual({
      endpoints: [{ host: 'cache', port: 6379 }],
      isEncrypted: false,
      database: 0,
    });
    expect(parseRedisAddress('rediss://user:s%40cret@[::1]:6380/2')).toMatchObject({
      endpoints: [{ host: '::1', port: 6380 }],
      username: 'user',
      password: 's@cret',
      isEncrypted: true,
      database: 2,
    });
  });

  it('is that of its Sentinels, with credentials for both', () => {
    const url =
      'rediss-sentinel://app:p%40ss+1@one,two:26380,[fd00::1]:1/4?sentinelMasterId=ledger' +
      '&sentinelUsername=watch&sentinelPassword=a+b%2F%25';
    expect(parseRedisAddress(url)).toEqual({
      endpoints: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 26380 },
        { host: 'fd00::1', port: 1 },
      ],
      isEncrypted: true,
      username: 'app',
      password: 'p@ss+1',
      database: 4,
      sentinel: { master: 'ledger', username: 'watch', password: 'a+b/%' },
    });
    expect(placeOfRedis(url)).toBe('Redis "ledger" of the Sentinels at one:26379, two:26380, [fd00::1]:1');
  });

  it('has a password without a name, as Redis has it by default', () => {
    const { username, password } = parseRedisAddress('redis-sentinel://:word@one?sentinelMasterId=m');
    expect([username, password]).toEqual([undefined, 'word']);
  });

  it.each([
    ['redis', /beginning with redis:\/\/, rediss:\/\/, redis-sentinel:\/\//],
    ['http://cache', /beginning with/],
    ['redis://one:1,two:2', /beginning with/],
    ['redis-sentinel://one:1', /of the form redis-sentinel:\/\/HOST:PORT.*sentinelMasterId=NAME/],
    ['redis-sentinel://one?sentinelMasterId=', /of the form/],
    ['redis-sentinel://one?sentinelMasterId=a%20b', /of the form/],
    ['redis-sentinel://one/x?sentinelMasterId=m', /of the form/],
    ['redis-sentinel://?sentinelMasterId=m', /of the form/],
    ['redis-sentinel://one:x?sentinelMasterId=m', /each Sentinel as HOST or HOST:PORT/],
    ['redis-sentinel://one,,two?sentinelMasterId=m', /each Sentinel as HOST or HOST:PORT/],
    ['redis-sentinel://one:99999?sentinelMasterId=m', /each Sentinel as HOST or HOST:PORT/],
    ['redis-sentinel://one?sentinelMasterId=m&role=slave', /may have no parameters but sentinelMasterId/],
    ['redis-sentinel://:50%@one?sentinelMasterId=m', /write %25/],
  ])('is refused as %s, with the form that it must have', (url, message) => {
    expect(() => parseRedisAddress(url)).toThrow(message);
  });
});
