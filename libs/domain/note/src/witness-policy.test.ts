import { describe, expect, it } from '@jest/globals';
import { formatWitnessPolicy } from '../fixtures/witness-policy.ts';
import { createVkey, ED25519, evaluateQuorum, formatVkey, parseWitnessPolicy, WitnessPolicyError } from './index.ts';

const key = (seed: number, name = `k${seed}`, type = 0x04): string => {
  const publicKey = new Uint8Array(type === 0x06 ? 1312 : 32);
  new DataView(publicKey.buffer).setUint32(0, seed);
  return formatVkey(createVkey(name, type, publicKey));
};
const hexOf = (seed: number): string => seed.toString(16).padStart(8, '0').padEnd(64, '0');

/** The example of C2SP tlog-policy, with keys. */
const EXAMPLE = `log ${key(100, 'example.com/log', ED25519)}

witness X1 ${key(1)}
witness X2 ${key(2)}
witness X3 ${key(3)}
group X-witnesses 2 X1 X2 X3

witness Y1 ${key(4)}
witness Y2 ${key(5)}
witness Y3 ${key(6)}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

describe('the published example of a policy', () => {
  it.each([
    [[1, 2, 4], true],
    [[1, 3, 6], true],
    [[1, 2, 3, 4, 5, 6], true],
    [[1, 2], false],
    [[1, 4], false],
    [[4, 5, 6], false],
    [[], false],
  ])('asks for two of one group and one of the other: %j is %s', (cosigning, isMet) => {
    expect(evaluateQuorum(parseWitnessPolicy(EXAMPLE), cosigning.map(hexOf)).isMet).toBe(isMet);
  });
});

describe('parseWitnessPolicy', () => {
  it('takes blanks, tabs, comments, URLs, opaque names and a last line without its end', () => {
    const text = [
      '# who vouches',
      '\t # for whom',
      '',
      ` log\t${key(1, 'a.example', ED25519)}  https://log.example/ `,
      `witness \u212a ${key(2)} https://w.example/prefix`,
      `witness K ${key(3, 'f\u00fcr.example')}`,
      `witness #1 ${key(4)}`,
      `witness a\u00a0b ${key(5)}`,
      'group all all \u212a K #1',
      'group any 1 a\u00a0b',
      'quorum all',
    ].join('\n');
    const policy = parseWitnessPolicy(text);
    expect(policy.logs[0]?.url).toBe('https://log.example/');
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
      ['\u212a', 'https://w.example/prefix'],
      ['K', undefined],
      ['#1', undefined],
      ['a\u00a0b', undefined],
    ]);
    expect(policy.groups).toEqual([
      { name: 'all', threshold: 'all', members: ['\u212a', 'K', '#1'] },
      { name: 'any', threshold: 1, members: ['a\u00a0b'] },
    ]);
    expect(policy.quorum).toBe('all');
    expect(parseWitnessPolicy(formatWitnessPolicy(policy))).toEqual(policy);
  });

  it('takes a quorum of none, of a single witness, and of a line before other definitions', () => {
    expect(parseWitnessPolicy('quorum none\n')).toEqual({ logs: [], witnesses: [], groups: [], quorum: null });
    expect(evaluateQuorum(parseWitnessPolicy('quorum none'), []).isMet).toBe(true);
    const policy = parseWitnessPolicy(`witness a ${key(1)}\nquorum a\nwitness b ${key(2)}\n`);
    expect(evaluateQuorum(policy, [hexOf(2)]).isMet).toBe(false);
    expect(evaluateQuorum(policy, [hexOf(1)]).isMet).toBe(true);
  });

  it('takes the 32 logs, witnesses and groups that every reader should, with keys of both types', () => {
    const lines: string[] = [];
    for (let i = 0; i < 32; i++) lines.push(`log ${key(i, `log${i}`, i % 2 === 0 ? ED25519 : 0x06)}`);
    for (let i = 0; i < 32; i++) lines.push(`witness w${i} ${key(i, `w${i}`, i % 2 === 0 ? 0x04 : 0x06)}`);
    for (let i = 0; i < 32; i++) lines.push(`group g${i} any w${i}`);
    const policy = parseWitnessPolicy([...lines, 'quorum g31', ''].join('\n'));
    expect([policy.logs.length, policy.witnesses.length, policy.groups.length]).toEqual([32, 32, 32]);
  });

  const w = `witness a ${key(1)}\nwitness b ${key(2)}\n`;
  it.each([
    ['nothing', '', undefined],
    ['no quorum', w, undefined],
    ['two quorums', 'quorum none\nquorum none\n', 2],
    ['a quorum of a name that comes later', `quorum a\n${w}`, 1],
    ['a quorum of two names', `${w}quorum a b`, 3],
    ['a quorum of nothing', `${w}quorum`, 3],
    ['an unknown line', `${w}threshold 3\nquorum none`, 3],
    ['a keyword in upper case', 'Quorum none', 1],
    ['a log without a key', 'log\nquorum none', 1],
    ['a log with more than a URL', `log ${key(1, 'l', ED25519)} u v\nquorum none`, 1],
    ['a log by the key of a witness', `log ${key(1)}\nquorum none`, 1],
    ['a witness by the key of a log', `witness a ${key(1, 'l', ED25519)}\nquorum none`, 1],
    ['a witness without a key', 'witness a\nquorum none', 1],
    ['a witness with more than a URL', `witness a ${key(1)} u v\nquorum none`, 1],
    ['a witness by a key with another id', `witness a ${key(1).replace('+', '+0')}\nquorum none`, 1],
    ['a witness whose key has the wrong length', `witness a ${key(1, 'k', 0x06).slice(0, -4)}\nquorum none`, 1],
    ['two witnesses of one name', `${w}witness a ${key(3)}\nquorum none`, 3],
    ['a group of the name of a witness', `${w}group a any b\nquorum none`, 3],
    ['two witnesses of one public key under two names', `${w}witness c ${key(1, 'other')}\nquorum none`, 3],
    ['two logs of one public key', `log ${key(1, 'l', ED25519)}\nlog ${key(1, 'm', ED25519)}\nquorum none`, 2],
    ['a witness named none', `witness none ${key(1)}\nquorum none`, 1],
    ['a group named none', `${w}group none any a\nquorum none`, 3],
    ['none as a member', `${w}group g any none\nquorum none`, 3],
    ['a group without members', `${w}group g any\nquorum none`, 3],
    ['a group of a name that comes later', `group g any a\n${w}quorum g`, 1],
    ['a group of itself', `${w}group g any a g\nquorum g`, 3],
    ['a name twice in one group', `${w}group g 2 a a\nquorum g`, 3],
    ['a name in two groups', `${w}group g any a\ngroup h any a b\nquorum h`, 4],
    ['a threshold of 0', `${w}group g 0 a b\nquorum g`, 3],
    ['a threshold above the members', `${w}group g 3 a b\nquorum g`, 3],
    ['a threshold with a sign', `${w}group g +1 a b\nquorum g`, 3],
    ['a threshold with a leading zero', `${w}group g 01 a b\nquorum g`, 3],
    ['a threshold that is no number', `${w}group g most a b\nquorum g`, 3],
    ['a threshold with an exponent', `${w}group g 1e0 a b\nquorum g`, 3],
    ['a carriage return', `${w}quorum a\r\n`, 3],
    ['a NUL in a comment', `${w}# \u0000\nquorum a\n`, 3],
    ['a DEL', `${w}# \u007f\nquorum a\n`, 3],
    ['half a surrogate pair', `${w}# \ud800\nquorum a\n`, 3],
    ['a text without end', `# ${'x'.repeat(600_000)}\nquorum none`, undefined],
  ])('refuses %s, naming the line', (_, text, line) => {
    let thrown: unknown;
    try {
      parseWitnessPolicy(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(WitnessPolicyError);
    expect(thrown).toMatchObject({ line });
  });

  it('refuses more definitions than it will hold', () => {
    const lines = Array.from({ length: 257 }, (_, i) => `witness w${i} ${key(i)}\n`);
    expect(parseWitnessPolicy(`${lines.slice(1).join('')}quorum none`).witnesses).toHaveLength(256);
    expect(() => parseWitnessPolicy(`${lines.join('')}quorum none`)).toThrow('line 257');
  });
});
