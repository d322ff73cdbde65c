import { describe, expect, it } from '@jest/globals';
import { parseAllowList } from './allow-list.ts';

describe('parseAllowList', () => {
  it('reads names and addresses with their ports, and nothing from nothing', () => {
    expect([...parseAllowList('')]).toEqual([]);
    expect([...parseAllowList(' witness.internal:8443, 10.0.0.1:80,[fd00::1]:8080 ,localhost:1,[::1]:*')]).toEqual([
      'witness.internal:8443',
      '10.0.0.1:80',
      '[fd00::1]:8080',
      'localhost:1',
      '[::1]:*',
    ]);
  });

  it.each([
    ['no port', 'a.example'],
    ['no host', ':80'],
    ['an empty entry', 'a.example:80,'],
    ['a scheme', 'https://a.example:80'],
    ['a path', 'a.example:80/x'],
    ['a path before the port', 'a.example/x:80'],
    ['a user name', 'u@a.example:80'],
    ['two ports', 'a.example:80:81'],
    ['port 0', 'a.example:0'],
    ['a port too high', 'a.example:65536'],
    ['a port with a leading zero', 'a.example:080'],
    ['upper case', 'A.example:80'],
    ['a host in another form of itself', '2130706433:80'],
    ['an IPv6 address without brackets', 'fd00::1:80'],
    ['an IPv6 address in a longer form', '[fd00:0::1]:80'],
    ['any host', '*:80'],
    ['some ports', 'a.example:8*'],
    ['a space', 'a b:80'],
  ])('refuses %s', (_, text) => {
    expect(() => parseAllowList(text)).toThrow('host:port');
  });
});
