import { createSuiteKey, createWitness, createWitnessPq, reseal } from '../reseal.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

const W = [1, 2, 3].map((n) => createWitness(n).vkey);
/** The same witnesses by their ML-DSA-44 keys, which cosign as 11 to 13. */
const PQ = [1, 2, 3].map((n) => createWitnessPq(n).vkey);
const cosignerOf = (n: number) => (n > 10 ? createWitnessPq(n - 10) : createWitness(n));
const AT = 1_800_000_000;
/** The Ed25519 key of a witness as one of a log. */
function asLogKey(n: number): string {
  return createSuiteKey(`witness.example/${n}`, 100 + n).vkey;
}

/** A policy text, who cosigns, and the outcome of `witness_cosignatures`; null for a text that is refused. */
const POLICIES: readonly (readonly [
  name: string,
  text: string,
  cosigners: readonly number[],
  outcome: string | null,
])[] = [
  ['one witness', `witness a ${W[0]}\nquorum a\n`, [1], 'PASS'],
  ['no line feed at the end', `witness a ${W[0]}\nquorum a`, [1], 'PASS'],
  ['nobody cosigned', `witness a ${W[0]}\nquorum a\n`, [], 'SKIP'],
  ['another witness', `witness a ${W[0]}\nquorum a\n`, [2], 'SKIP'],
  [
    'two of three',
    `witness a ${W[0]}\nwitness b ${W[1]}\nwitness c ${W[2]}\ngroup g 2 a b c\nquorum g\n`,
    [1, 3],
    'PASS',
  ],
  [
    'one of the two',
    `witness a ${W[0]}\nwitness b ${W[1]}\nwitness c ${W[2]}\ngroup g 2 a b c\nquorum g\n`,
    [3],
    'SKIP',
  ],
  ['all of two', `witness a ${W[0]}\nwitness b ${W[1]}\ngroup g all a b\nquorum g\n`, [1], 'SKIP'],
  ['any of two', `witness a ${W[0]}\nwitness b ${W[1]}\ngroup g any a b\nquorum g\n`, [2], 'PASS'],
  [
    'a group of groups',
    `witness a ${W[0]}\nwitness b ${W[1]}\ngroup g any a\ngroup h all g b\nquorum h\n`,
    [1, 2],
    'PASS',
  ],
  ['no quorum is asked', 'quorum none\n', [], 'NA'],
  ['comments and tabs', `# a\n\n\t# b\nwitness\ta  ${W[0]}\tx\n quorum a\n`, [1], 'PASS'],
  ['a witness by ML-DSA-44', `witness a ${PQ[0]}\nquorum a\n`, [11], 'PASS'],
  ['another witness by ML-DSA-44', `witness a ${PQ[0]}\nquorum a\n`, [12], 'SKIP'],
  ['by Ed25519 where ML-DSA-44 is asked for', `witness a ${PQ[0]}\nquorum a\n`, [1], 'SKIP'],
  ['by ML-DSA-44 where Ed25519 is asked for', `witness a ${W[0]}\nquorum a\n`, [11], 'SKIP'],
  ['both keys of a witness', `witness a ${W[0]}\nwitness b ${PQ[0]}\ngroup g all a b\nquorum g\n`, [1, 11], 'PASS'],
  ['one key of the two', `witness a ${W[0]}\nwitness b ${PQ[0]}\ngroup g all a b\nquorum g\n`, [11], 'SKIP'],
  ['a key of ML-DSA-44 twice', `witness a ${PQ[0]}\nwitness b ${PQ[0]}\nquorum a\n`, [11], null],
  ['a key of Ed25519 for a log', `log ${asLogKey(1)}\nwitness a ${W[0]}\nquorum a\n`, [1], 'SKIP'],
  ['a key of ML-DSA-44 for a log', `log ${PQ[0]}\nwitness a ${PQ[0]}\nquorum a\n`, [11], 'SKIP'],
  ['a url', `witness a ${W[0]} https://a.example\nquorum a\n`, [1], 'PASS'],
  ['a quorum before its witness', `quorum a\nwitness a ${W[0]}\n`, [1], null],
  ['a group before its members', `group g any a\nwitness a ${W[0]}\nquorum g\n`, [1], null],
  ['no quorum', `witness a ${W[0]}\n`, [1], null],
  ['two quorums', `witness a ${W[0]}\nquorum a\nquorum a\n`, [1], null],
  ['a name twice', `witness a ${W[0]}\nwitness a ${W[1]}\nquorum a\n`, [1], null],
  ['a key twice', `witness a ${W[0]}\nwitness b ${W[0]}\nquorum a\n`, [1], null],
  ['the name none', `witness none ${W[0]}\nquorum none\n`, [1], null],
  ['a member of two groups', `witness a ${W[0]}\ngroup g any a\ngroup h any a\nquorum g\n`, [1], null],
  ['a member twice', `witness a ${W[0]}\ngroup g 1 a a\nquorum g\n`, [1], null],
  ['a group of itself', `witness a ${W[0]}\ngroup g any g a\nquorum g\n`, [1], null],
  ['a group without members', `witness a ${W[0]}\ngroup g any\nquorum a\n`, [1], null],
  ['more than there are', `witness a ${W[0]}\ngroup g 2 a\nquorum g\n`, [1], null],
  ['a threshold of 0', `witness a ${W[0]}\ngroup g 0 a\nquorum g\n`, [1], null],
  ['a threshold with a zero before', `witness a ${W[0]}\ngroup g 01 a\nquorum g\n`, [1], null],
  ['an unknown word', `witness a ${W[0]}\nquorum a\nother\n`, [1], null],
  ['words in capitals', `WITNESS a ${W[0]}\nquorum a\n`, [1], null],
  ['a carriage return', `witness a ${W[0]}\r\nquorum a\r\n`, [1], null],
  ['a control character', `# \u0001\nquorum none\n`, [], null],
  ['a witness as a log', `log ${W[0]}\nquorum none\n`, [], null],
  ['a key of another id', `witness a ${W[0]?.replace(/\+[0-9a-f]{8}\+/, '+00000000+')}\nquorum a\n`, [1], null],
  ['256 groups', manyGroups(256), [1], 'PASS'],
  ['257 groups', manyGroups(257), [1], null],
  ['no text', '', [], null],
  ['more than 524,288 characters', `quorum none\n#${' '.repeat(524_288)}`, [], null],
];

function manyGroups(count: number): string {
  const groups = Array.from({ length: count }, (_, n) => `group g${n} any ${n === 0 ? 'a' : `g${n - 1}`}\n`);
  return `witness a ${W[0]}\n${groups.join('')}quorum g${count - 1}\n`;
}

/** Texts of witness policies in the trust file. */
export function listPolicies(open: Open): readonly WholeCase[] {
  return POLICIES.map(([name, text, cosigners, outcome]) => {
    const witnesses = cosigners.map((n) => [cosignerOf(n), AT] as const);
    const world = reseal(open('plain'), { witnesses, before: ({ trust }) => (trust.witness_policy = text) });
    const expected = outcome === null ? ({ refused: true } as const) : { outcomes: { witness_cosignatures: outcome } };
    return { id: `policy: ${name}`, given: give(world), expected };
  });
}
