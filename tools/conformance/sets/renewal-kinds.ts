import type { BundleRenewal, TrustFile } from '@answer-evidence/contracts';
import { formatBase64 } from '@answer-evidence/encoding';
import { keyUsage, utcTime } from '../stamps/certificates.ts';
import type { OcspForm } from '../stamps/ocsp-responses.ts';
import { type ListForm, NO_LIST } from '../stamps/revocation-lists.ts';
import { type Craft, GOOD_AUTHORITY } from '../stamps/tokens.ts';
import { ALL } from './whole-case.ts';

/** A renewal of the token before it, and the lists that are kept with it. */
export type Later = {
  readonly by: 'b' | 'c' | 'unpinned';
  readonly craft: Craft;
  readonly lists?: readonly (ListForm & { readonly signedBy?: 'a' | 'b' })[];
  /** Responses of OCSP by the issuer of the first authority. */
  readonly responses?: readonly OcspForm[];
  /**
   * Whether its tree is of SHA-512, over what a hash-tree renewal covers, or over what the next one of its chain does.
   */
  readonly anew?: 'whole' | 'token';
};
type Renewals = readonly BundleRenewal[];

/** One case: the token of the first authority, what renews it, and what comes of it. */
export type RenewalKind = {
  readonly name: string;
  readonly first?: Craft;
  readonly later: readonly Later[];
  /** What is made of the renewals. */
  readonly change?: (renewals: Renewals) => unknown;
  /** What is made of the text that a hash-tree renewal covers with the chain. */
  readonly text?: (text: string) => string;
  readonly trust?: (trust: TrustFile) => Partial<TrustFile>;
  /** The anchor that the policy in the bundle names; left out, the bundle has no policy. */
  readonly named?: 'a' | 'b';
  readonly outcome: 'PASS' | 'FAIL' | 'SKIP' | typeof ALL;
};

/** The certificates of the first authority end in 2030, those of the others in 2035 and 2049. */
export const ENDS_2030: Craft = {
  signer: { notAfter: utcTime('300601000000Z') },
  between: { extensions: [GOOD_AUTHORITY[0] ?? utcTime(''), keyUsage(1, 0x06)] },
};
const at = (genTime: string): Craft => ({ genTime });
const by = (genTime: string, lists: Later['lists'] = []): Later => ({ by: 'b', craft: at(genTime), lists });
export const IN_2029 = by('20290601000000Z');
const SIGNS_LISTS = [GOOD_AUTHORITY[0] ?? utcTime(''), keyUsage(1, 0x06)];
/** The same, by an authority whose issuer signs lists. */
const B_LISTS: Later = { by: 'b', craft: { genTime: '20290601000000Z', between: { extensions: SIGNS_LISTS } } };
export const C_IN_2034: Later = {
  by: 'c',
  craft: {
    genTime: '20340601000000Z',
    signer: { notAfter: utcTime('490101000000Z') },
    between: { notAfter: utcTime('490101000000Z') },
    root: { notAfter: utcTime('490101000000Z') },
  },
};
/** The renewal of 2029 with one list. */
const listed = (list: ListForm, signedBy: 'a' | 'b' = 'a') => [by('20290601000000Z', [{ ...list, signedBy }])];
const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error('there is no item');
  return item;
};

export const RENEWAL_KINDS: readonly RenewalKind[] = [
  { name: 'before its certificate ended', later: [IN_2029], outcome: 'PASS' },
  { name: 'twice, each before a certificate ended', later: [IN_2029, C_IN_2034], outcome: 'PASS' },
  { name: 'in the last second of its certificate', later: [by('20300601000000.999999Z')], outcome: 'PASS' },
  { name: 'after its certificate ended', later: [by('20300601000001Z')], outcome: 'SKIP' },
  {
    name: 'in time, and again too late',
    later: [IN_2029, { ...C_IN_2034, craft: { ...C_IN_2034.craft, genTime: '20350101000001Z' } }],
    outcome: 'SKIP',
  },
  { name: 'by a token that is older', later: [by('20261122212259Z')], outcome: 'FAIL' },
  { name: 'by an anchor that is not pinned', later: [{ ...IN_2029, by: 'unpinned' }], outcome: 'PASS' },
  {
    name: 'before its certificate ended, where only roots are pinned',
    later: [IN_2029],
    trust: (trust) => ({
      anchors: undefined,
      anchors_required: undefined,
      tsa_roots: (trust.anchors ?? []).flatMap((pin) => pin.certificate_pem ?? []),
    }),
    outcome: 'PASS',
  },
  {
    name: 'by the one authority that is pinned',
    later: [IN_2029],
    trust: (trust) => ({ anchors: trust.anchors?.filter(({ anchor_id: id }) => id === 'b') }),
    named: 'b',
    outcome: 'SKIP',
  },
  {
    name: 'whose authority left the policy, where another root is pinned',
    later: [IN_2029],
    trust: pinRootOfB,
    named: 'b',
    outcome: 'SKIP',
  },
  {
    name: 'whose authority the policy names, where another root is pinned',
    later: [IN_2029],
    trust: pinRootOfB,
    named: 'a',
    outcome: 'FAIL',
  },
  { name: 'over other hashes', later: [IN_2029], change: (all) => alterPath(all, 1), outcome: 'FAIL' },
  { name: 'over another token', later: [IN_2029], change: (all) => alterPath(all, 0), outcome: 'PASS' },
  {
    name: 'in groups of one hash',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, paths: one.paths.map(([own]) => [[own?.[0]]]) })),
    outcome: 'FAIL',
  },
  {
    name: 'by what is no token',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, artefact: 'e30=' })),
    outcome: 'FAIL',
  },
  {
    name: 'without a path',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, paths: [] })),
    outcome: 'PASS',
  },
  {
    name: 'with an empty path',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, paths: [[]] })),
    outcome: ALL,
  },
  {
    name: 'with too many groups',
    later: [IN_2029],
    change: (all) =>
      all.map((one) => ({
        ...one,
        paths: one.paths.map((path) => [...path, ...Array.from({ length: 64 }, () => first(path))]),
      })),
    outcome: ALL,
  },
  {
    name: 'with a member of no format',
    later: [IN_2029],
    change: (all) => all.map((one) => ({ ...one, note: '' })),
    outcome: ALL,
  },
  {
    name: 'with a certificate revoked before the token',
    later: listed({ at: '261122212259Z', reason: 4 }),
    outcome: 'FAIL',
  },
  {
    name: 'with a certificate revoked at the time of the token',
    later: listed({ at: '261122212300Z', reason: 4 }),
    outcome: 'FAIL',
  },
  {
    name: 'with a certificate that was superseded after the token',
    later: listed({ at: '280101000000Z', reason: 4 }),
    outcome: 'PASS',
  },
  {
    name: 'with a stolen key, revoked before the renewal',
    later: listed({ at: '280101000000Z', reason: 1 }),
    outcome: 'FAIL',
  },
  {
    name: 'with a certificate revoked for no reason, before the renewal',
    later: listed({ at: '280101000000Z' }),
    outcome: 'FAIL',
  },
  {
    name: 'with a stolen key, revoked after the renewal',
    later: listed({ at: '300101000000Z', reason: 1 }),
    outcome: 'PASS',
  },
  {
    name: 'with a stolen key, revoked at the time of the renewal',
    later: listed({ at: '290601000000Z', reason: 1 }),
    outcome: 'FAIL',
  },
  {
    name: 'with another certificate revoked',
    later: listed({ at: '280101000000Z', serial: Uint8Array.of(2, 1, 41) }),
    outcome: 'PASS',
  },
  {
    name: 'with a list of another issuer',
    later: listed({ at: '280101000000Z', issuer: 'somebody' }),
    outcome: 'PASS',
  },
  { name: 'with a list that another key signed', later: listed({ at: '280101000000Z' }, 'b'), outcome: 'PASS' },
  {
    name: 'with a list of an issuer that must not sign lists',
    first: { signer: { notAfter: utcTime('300601000000Z') } },
    later: listed({ at: '280101000000Z' }),
    outcome: 'PASS',
  },
  {
    name: 'with a list that has a critical extension',
    later: listed({ at: '280101000000Z', isCritical: true }),
    outcome: 'PASS',
  },
  {
    name: 'with a list that it does not cover',
    later: listed({ at: '300101000000Z', reason: 1 }),
    change: (all) =>
      all.map((one) => ({
        ...one,
        revocation_lists: one.revocation_lists.map((kept) => ({ ...kept, list: formatBase64(NO_LIST) })),
      })),
    outcome: 'FAIL',
  },
  {
    name: 'with a list whose path leads elsewhere',
    later: listed({ at: '300101000000Z', reason: 1 }),
    change: (all) =>
      all.map((one) => ({
        ...one,
        revocation_lists: one.revocation_lists.map(({ list, path }) => ({ list, path: [...path, ['00'.repeat(32)]] })),
      })),
    outcome: 'FAIL',
  },
  {
    name: 'by a key that was stolen, as it says itself',
    later: [{ ...B_LISTS, lists: [{ at: '330101000000Z', reason: 1, signedBy: 'b' }] }],
    outcome: 'FAIL',
  },
  {
    name: 'by a key that was stolen before the next renewal',
    later: [B_LISTS, { ...C_IN_2034, lists: [{ at: '340531235959Z', reason: 1, signedBy: 'b' }] }],
    outcome: 'FAIL',
  },
  {
    name: 'by a key that was stolen after the next renewal',
    later: [B_LISTS, { ...C_IN_2034, lists: [{ at: '340601000001Z', reason: 1, signedBy: 'b' }] }],
    outcome: 'PASS',
  },
];

function pinRootOfB({ anchors = [] }: TrustFile): Partial<TrustFile> {
  const pem = anchors.find(({ anchor_id: id }) => id === 'b')?.certificate_pem ?? '';
  return { anchors: undefined, anchors_required: undefined, tsa_roots: [pem] };
}

function alterPath(renewals: Renewals, place: 0 | 1): Renewals {
  return renewals.map((one) => ({
    ...one,
    paths: one.paths.map(([group = [], ...rest]) => [group.with(place, 'ab'.repeat(32)), ...rest]),
  }));
}
