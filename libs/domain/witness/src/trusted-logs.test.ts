import { describe, expect, it } from '@jest/globals';
import { createFixtureLog, createFixtureWitness } from '../fixtures/fixture-log.ts';
import { parseTrustedLogs } from './index.ts';

const a = createFixtureLog('a.example/log', 1).vkey;
const b = createFixtureLog('b.example', 2).vkey;
const b2 = createFixtureLog('b.example', 3).vkey;
const keysOf = (text: string) =>
  [...parseTrustedLogs(text).values()].map(({ origin, vkeys }) => [origin, vkeys.length] as const);

describe('parseTrustedLogs', () => {
  it('reads lines of vkeys, with the keys of one origin as one log', () => {
    expect(keysOf('')).toEqual([]);
    expect(keysOf(`# ours\n\n${a}\n  ${b}\r\n${b2}`)).toEqual([
      ['a.example/log', 1],
      ['b.example', 2],
    ]);
  });

  it('reads a list of the witness network', () => {
    // The form of transparency-dev/witness-network, docs/log-list-format.md.
    const list = `#
# List: 10qps-100klogs
logs/v0

vkey ${a}
origin none
qpd 86400
bastion https://bastion.example/
contact https://a.example/contact

vkey ${b}
origin another origin
bastion none
qpd 24
contact sysadmin (at) b.example
`;
    expect(keysOf(list)).toEqual([
      ['a.example/log', 1],
      ['another origin', 1],
    ]);
    expect(keysOf('logs/v0\n')).toEqual([]);
  });

  it.each([
    ['a word', `${a}\nword`, 'line 2'],
    ['the key of a witness', createFixtureWitness('w', 1).vkey, 'line 1'],
    ['a field before its log', `logs/v0\norigin x\nvkey ${a}`, 'line 2'],
    ['an unknown field', `logs/v0\nvkey ${a}\nurl x`, 'line 3'],
    ['a field without a value', `logs/v0\nvkey ${a}\norigin`, 'line 3'],
    ['a list without its first line', `vkey ${a}`, 'line 1'],
    ['another version of the list', `logs/v1\nvkey ${a}`, 'line 1'],
  ])('refuses %s, naming the line', (_, text, line) => {
    expect(() => parseTrustedLogs(text)).toThrow(line);
  });
});
