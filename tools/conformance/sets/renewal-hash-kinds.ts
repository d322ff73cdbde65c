import type { BundleRenewal } from '@answer-evidence/contracts';
import { C_IN_2034, IN_2029, type Later, type RenewalKind } from './renewal-kinds.ts';
import { ALL } from './whole-case.ts';

const ANEW: Later = { ...IN_2029, anew: 'whole' };
const C_ANEW: Later = { ...C_IN_2034, anew: 'whole' };
const C_AFTER: Later = { ...C_IN_2034, anew: 'token' };
type Path = BundleRenewal['paths'][number];

/** Each kind of renewal that hashes everything anew, because SHA-256 weakens. */
export const RENEWAL_HASH_KINDS: readonly RenewalKind[] = [
  { name: 'by another hash', later: [ANEW], outcome: 'PASS' },
  { name: 'and then by another hash', later: [IN_2029, C_ANEW], outcome: 'PASS' },
  { name: 'by another hash, and then by the same', later: [ANEW, C_AFTER], outcome: 'PASS' },
  {
    name: 'by another hash, too late',
    later: [{ ...ANEW, craft: { genTime: '20300601000001Z' } }],
    outcome: 'SKIP',
  },
  {
    name: 'by another hash, with a stolen key, revoked before',
    later: [{ ...ANEW, lists: [{ at: '280101000000Z', reason: 1 }] }],
    outcome: 'FAIL',
  },
  {
    name: 'by another hash, with a stolen key, revoked after',
    later: [{ ...ANEW, lists: [{ at: '300101000000Z', reason: 1 }] }],
    outcome: 'PASS',
  },
  {
    name: 'by another hash, with a list that it does not cover',
    later: [{ ...ANEW, lists: [{ at: '300101000000Z', reason: 1 }] }],
    change: (all) =>
      all.map((one) => ({ ...one, revocation_lists: one.revocation_lists.map((kept) => ({ ...kept, list: '' })) })),
    outcome: 'FAIL',
  },
  // Each of the next ones covers something else, so that it says nothing of the token.
  {
    name: 'by another hash, over another text',
    later: [{ ...ANEW, lists: [{ at: '280101000000Z', reason: 1 }] }],
    text: (text) => `${text}\n`,
    outcome: 'PASS',
  },
  {
    name: 'by another hash, over the token alone',
    later: [{ ...ANEW, anew: 'token', lists: [{ at: '280101000000Z', reason: 1 }] }],
    outcome: 'PASS',
  },
  {
    name: 'by another hash, and again as if nothing had been',
    later: [ANEW, { ...C_ANEW, lists: [{ at: '280101000000Z', reason: 1 }] }],
    outcome: 'PASS',
  },
  {
    name: 'and then by another hash, whose chain lacks a token',
    later: [IN_2029, { ...C_ANEW, lists: [{ at: '280101000000Z', reason: 1 }] }],
    change: ([, ...others]) => others,
    outcome: 'PASS',
  },
  {
    name: 'and then by another hash, whose chain has another path',
    later: [IN_2029, { ...C_ANEW, lists: [{ at: '280101000000Z', reason: 1 }] }],
    change: ([first, ...others]) => [first && { ...first, paths: first.paths.map(inOtherOrder) }, ...others],
    outcome: 'PASS',
  },
  {
    name: 'by another hash, that is said to be the same',
    later: [ANEW],
    change: (all) => all.map(({ hash: _, ...one }) => one),
    outcome: ALL,
  },
  {
    name: 'by the same hash, that is said to be another',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, hash: 'sha-512' })),
    outcome: ALL,
  },
  {
    name: 'by another hash, in hashes of two lengths',
    later: [ANEW],
    change: (all) => all.map((one) => ({ ...one, paths: [...one.paths, [['ab'.repeat(32)]]] })),
    outcome: ALL,
  },
  {
    name: 'by a hash that there is none of',
    later: [ANEW],
    change: (all) => all.map((one) => ({ ...one, hash: 'sha-384' })),
    outcome: ALL,
  },
];

/** The same place in the tree, in other bytes. */
function inOtherOrder([group = [], ...rest]: Path): Path {
  return [group.toReversed(), ...rest];
}
