import { describe, expect, it } from '@jest/globals';
import {
  defaultQuorum,
  formatWitnessRows,
  parseVkey,
  parseWitnessPolicy,
  readWitnessRows,
} from '@answer-evidence/note';
import { asWord } from './as-word.ts';
import { WITNESSES } from './templates.ts';

const rows = WITNESSES.map(({ value }) => value);
const [first = { name: '', vkey: '', url: '' }, second = first] = rows;
const line = ({ name, vkey, url }: typeof first) => `witness ${name} ${vkey} ${url}\n`;

describe('the witnesses of a policy text', () => {
  it.each(['none', 'any', 'all', 2] as const)('are read as they were written, with the quorum %s', (quorum) => {
    const text = formatWitnessRows({ rows, quorum });
    expect(readWitnessRows(text)).toEqual({ rows, quorum });
    const policy = parseWitnessPolicy(text);
    expect(policy.witnesses).toHaveLength(rows.length);
    expect(policy.quorum === null).toBe(quorum === 'none');
    expect(policy.groups.map(({ threshold }) => threshold)).toEqual(quorum === 'none' ? [] : [quorum]);
  });

  it('are none in the policy that a workspace begins with', () => {
    expect(readWitnessRows('quorum none\n')).toEqual({ rows: [], quorum: 'none' });
    expect(formatWitnessRows({ rows: [], quorum: 'all' })).toBe('quorum none\n');
  });

  it('can be one that decides by itself', () => {
    expect(readWitnessRows(`${line(first)}quorum ${first.name}\n`)).toEqual({ rows: [first], quorum: 'all' });
  });

  it.each([
    ['a comment', `# of 2026\n${line(first)}quorum ${first.name}\n`],
    ['a witness beside the quorum', `${line(first)}${line(second)}quorum ${first.name}\n`],
    ['a group without one of them', `${line(first)}${line(second)}group g 1 ${first.name}\nquorum g\n`],
    ['two groups', `${line(first)}group g 1 ${first.name}\ngroup h 1 g\nquorum h\n`],
    ['a group that decides nothing', `${line(first)}group g 1 ${first.name}\nquorum none\n`],
    ['no quorum', line(first)],
    ['two', 'quorum none\nquorum none\n'],
    ['a log', `log ${first.vkey}\nquorum none\n`],
    ['something else', 'witness\n'],
  ])('are left to the text where it has %s', (_, text) => {
    expect(readWitnessRows(text)).toBeUndefined();
  });
});

it('makes one word of what somebody pasted, which cannot be another line', () => {
  expect(asWord(' name\nquorum none\t')).toBe('namequorumnone');
});

it('offers witnesses whose keys are whole', () => {
  for (const { vkey, url } of rows) {
    expect(parseVkey(vkey).name).toBe(new URL(url).host);
    expect(readWitnessRows(formatWitnessRows({ rows: [{ ...first, vkey, url }], quorum: 'all' }))).toBeDefined();
  }
});

it('asks most of the witnesses while nobody has said how many', () => {
  expect([0, 1, 2, 3, 4, 5].map(defaultQuorum)).toEqual(['none', 'all', 'all', 2, 3, 3]);
});
