import type { BundleRenewal, PinnedAnchor, TrustFile } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, formatHex, utf8 } from '@answer-evidence/encoding';
import { buildArchiveTree, findArchivePath } from '@answer-evidence/merkle';
import { reseal } from '../reseal.ts';
import { keyUsage, utcTime } from '../stamps/certificates.ts';
import { type ListForm, makeRevocationList, NO_LIST } from '../stamps/revocation-lists.ts';
import { type Craft, GOOD_AUTHORITY, openAuthority } from '../stamps/tokens.ts';
import { ALL, give, type Open, type WholeCase } from './whole-case.ts';

/** A renewal of the token before it, and the lists that are kept with it. */
type Later = {
  readonly by: 'b' | 'c' | 'unpinned';
  readonly craft: Craft;
  readonly lists?: readonly (ListForm & { readonly signedBy?: 'a' | 'b' })[];
};
type Renewals = readonly BundleRenewal[];

/** One case: the token of the first authority, what renews it, and what comes of it. */
type Kind = {
  readonly name: string;
  readonly first?: Craft;
  readonly later: readonly Later[];
  /** What is made of the renewals. */
  readonly change?: (renewals: Renewals) => unknown;
  readonly trust?: (trust: TrustFile) => Partial<TrustFile>;
  readonly outcome: 'PASS' | 'FAIL' | 'SKIP' | typeof ALL;
};

/** The certificates of the first authority end in 2030, those of the others in 2035 and 2049. */
const ENDS_2030: Craft = {
  signer: { notAfter: utcTime('300601000000Z') },
  between: { extensions: [GOOD_AUTHORITY[0] ?? utcTime(''), keyUsage(1, 0x06)] },
};
const at = (genTime: string): Craft => ({ genTime });
const by = (genTime: string, lists: Later['lists'] = []): Later => ({ by: 'b', craft: at(genTime), lists });
const IN_2029 = by('20290601000000Z');
const SIGNS_LISTS = [GOOD_AUTHORITY[0] ?? utcTime(''), keyUsage(1, 0x06)];
/** The same, by an authority whose issuer signs lists. */
const B_LISTS: Later = { by: 'b', craft: { genTime: '20290601000000Z', between: { extensions: SIGNS_LISTS } } };
const C_IN_2034: Later = {
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

const KINDS: readonly Kind[] = [
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

function alterPath(renewals: Renewals, place: 0 | 1): Renewals {
  return renewals.map((one) => ({
    ...one,
    paths: one.paths.map(([group = [], ...rest]) => [group.with(place, 'ab'.repeat(32)), ...rest]),
  }));
}

/** Each kind of renewal of a token under a pinned anchor. */
export function listRenewals(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const { checkpoint } = world.bundle;
  const digest = sha256(utf8(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)));
  const authorities = { a: openAuthority(), b: openAuthority(), c: openAuthority(), unpinned: openAuthority() };
  return KINDS.map(({ name, first: craft = ENDS_2030, later, change, trust: alter, outcome }) => {
    const token = authorities.a.stamp(digest, craft);
    const pems = new Map([['a', token.pem]]);
    const renewals: BundleRenewal[] = [];
    let last = token.response;
    for (const { by: anchorId, craft: made, lists = [] } of later) {
      const kept = lists.map(({ signedBy = 'a', ...form }) =>
        makeRevocationList(authorities[signedBy].keys('authority 1'), form),
      );
      const { response, pem, renewal } = renew(last, kept, (root) => authorities[anchorId].stamp(root, made));
      if (anchorId !== 'unpinned') pems.set(anchorId, pem);
      renewals.push({ ...renewal, anchor_id: anchorId });
      last = response;
    }
    const anchors = [...pems].map(([id, pem]): PinnedAnchor => {
      return { anchor_id: id, type: 'rfc3161', required: id === 'a', certificate_pem: pem };
    });
    const pinned = { ...world.trust, anchors, anchors_required: 1 };
    const trust = { ...pinned, ...alter?.(pinned) };
    const shown = { anchor_id: 'a', type: 'rfc3161' as const, artefact: formatBase64(token.response) };
    const bundle = { ...world.bundle, anchors: [shown], renewals: change?.(renewals) ?? renewals };
    const given = give({ ...world, trust, bundle: bundle as typeof world.bundle });
    const expected = outcome === ALL ? { fails: [ALL] } : { outcomes: { external_anchor: outcome, anchored: outcome } };
    return { id: `a token renewed ${name}`, given, expected };
  });
}

/** A token over an earlier one, over lists of the time, and over something else. */
function renew(
  earlier: Uint8Array,
  lists: readonly Uint8Array[],
  stamp: (root: Uint8Array) => { readonly response: Uint8Array; readonly pem: string },
) {
  // A response is the status, of five octets here, and the token.
  const header = (earlier[1] ?? 0) < 0x80 ? 2 : 2 + ((earlier[1] ?? 0) & 0x7f);
  const hashes = [earlier.subarray(header + 5), ...lists].map(sha256);
  const tree = buildArchiveTree([...hashes, sha256('something else')]);
  const paths = hashes.map((hash) => (findArchivePath(tree, hash) ?? []).map((group) => group.map(formatHex)));
  const { response, pem } = stamp(tree.root);
  const renewal = {
    type: 'rfc3161' as const,
    artefact: formatBase64(response),
    paths: [first(paths)],
    revocation_lists: lists.map((list, n) => ({ list: formatBase64(list), path: paths[n + 1] ?? [] })),
  };
  return { response, pem, renewal };
}
