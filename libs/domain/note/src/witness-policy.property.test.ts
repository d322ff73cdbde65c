import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatHex } from '@answer-evidence/encoding';
import { formatWitnessPolicy } from '../fixtures/witness-policy.ts';
import {
  createVkey,
  ED25519,
  evaluateQuorum,
  type GroupThreshold,
  parseWitnessPolicy,
  type PolicyGroup,
  type PolicyWitness,
  type WitnessPolicy,
} from './index.ts';

const keyBytes = (n: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? n : 7));

/** Any policy that the rules allow: each name a member at most once, groups of what stands before them. */
const policies: fc.Arbitrary<WitnessPolicy> = fc
  .record({
    witnessesCount: fc.nat(8),
    groups: fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), threshold: fc.nat(6) }), { maxLength: 6 }),
    urls: fc.boolean(),
    quorum: fc.nat(20),
    order: fc.infiniteStream(fc.nat(100)),
  })
  .map(({ witnessesCount, groups, urls, quorum, order }) => {
    const witnesses = Array.from({ length: witnessesCount }, (_, i): PolicyWitness => {
      const url = urls && i % 2 === 0 ? `https://w${i}.example/\u00e9` : undefined;
      return { name: `w\u00e9${i}`, vkey: createVkey(`w${i}.example`, 0x04, keyBytes(i)), url };
    });
    const free = witnesses.map(({ name }) => name);
    const made: PolicyGroup[] = [];
    for (const { size, threshold } of groups) {
      const members: string[] = [];
      while (members.length < size && free.length > 0) {
        members.push(...free.splice((order.next().value ?? 0) % free.length, 1));
      }
      if (members.length === 0) break;
      const thresholds: readonly GroupThreshold[] = ['all', 'any', ...members.map((_, i) => i + 1)];
      const name = `g${made.length}`;
      made.push({ name, members, threshold: thresholds[threshold % thresholds.length] ?? 'all' });
      free.push(name);
    }
    const names = [...witnesses.map(({ name }) => name), ...made.map(({ name }) => name)];
    return {
      logs: urls ? [{ vkey: createVkey('log.example', ED25519, keyBytes(200)), url: undefined }] : [],
      witnesses,
      groups: made,
      quorum: names[quorum % (names.length + 1)] ?? null,
    };
  });

/** The definition of a group as the specification words it, from the quorum downwards. */
function isWitnessed(policy: WitnessPolicy, name: string, cosigned: ReadonlySet<string>): boolean {
  const group = policy.groups.find((candidate) => candidate.name === name);
  if (group === undefined) return cosigned.has(name);
  const count = group.members.filter((member) => isWitnessed(policy, member, cosigned)).length;
  const { threshold, members } = group;
  return count >= (threshold === 'any' ? 1 : threshold === 'all' ? members.length : threshold);
}

describe('a witness policy', () => {
  it('reads back as what was written, and another quorum is another text', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const text = formatWitnessPolicy(policy);
        expect(parseWitnessPolicy(text)).toEqual(policy);
        expect(formatWitnessPolicy(parseWitnessPolicy(text))).toBe(text);
        fc.pre(policy.quorum !== null);
        expect(formatWitnessPolicy({ ...policy, quorum: null })).not.toBe(text);
      }),
    );
  });

  it('is met by exactly those sets of witnesses that the definition of its groups says', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        for (let set = 0; set < 1 << policy.witnesses.length; set++) {
          const cosigning = policy.witnesses.filter((_, i) => (set >> i) % 2 === 1);
          const keys = cosigning.map(({ vkey }) => formatHex(vkey.publicKey));
          const names = new Set(cosigning.map(({ name }) => name));
          const expected = policy.quorum === null || isWitnessed(policy, policy.quorum, names);
          const evaluation = evaluateQuorum(policy, [...keys, ...keys, formatHex(keyBytes(199))]);
          expect(evaluation).toEqual({ isMet: expected, counted: [...names] });
        }
      }),
    );
  });

  it('is never met by the key of a log, wherever it is known from', () => {
    const log = createVkey('log.example', ED25519, keyBytes(1));
    const witness = { name: 'w', vkey: createVkey('w.example', 0x04, keyBytes(1)), url: undefined };
    const policy = { logs: [], witnesses: [witness], groups: [], quorum: 'w' };
    const keys = [formatHex(keyBytes(1))];
    expect(evaluateQuorum(policy, keys).isMet).toBe(true);
    expect(evaluateQuorum(policy, keys, [log]).isMet).toBe(false);
    expect(evaluateQuorum({ ...policy, logs: [{ vkey: log, url: undefined }] }, keys).isMet).toBe(false);
  });

  it('counts a key once, also where a policy that no reader lets through gives it to two witnesses', () => {
    const twin = (name: string) => ({ name, vkey: createVkey(name, 0x04, keyBytes(1)), url: undefined });
    const group = { name: 'g', threshold: 2, members: ['a', 'b'] } as const;
    const policy = { logs: [], witnesses: [twin('a'), twin('b')], groups: [group], quorum: 'g' };
    expect(() => parseWitnessPolicy(formatWitnessPolicy(policy))).toThrow('line 2');
    expect(evaluateQuorum(policy, [formatHex(keyBytes(1))])).toEqual({ isMet: false, counted: ['a'] });
  });
});
