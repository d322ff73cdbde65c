import {
  type BundleRenewal,
  DEFAULT_TRUST_POLICY,
  type PinnedAnchor,
  type ShownTrustPolicy,
} from '@answer-evidence/contracts';
import { sha256, sha512 } from '@answer-evidence/digest';
import { formatBase64, formatHex, utf8 } from '@answer-evidence/encoding';
import { type ArchiveTimestamp, buildArchiveTree, findArchivePath, rehashChains } from '@answer-evidence/merkle';
import { reseal } from '../reseal.ts';
import { makeOcspResponse } from '../stamps/ocsp-responses.ts';
import { makeRevocationList } from '../stamps/revocation-lists.ts';
import { openAuthority } from '../stamps/tokens.ts';
import { RENEWAL_HASH_KINDS } from './renewal-hash-kinds.ts';
import { ENDS_2030, type Later, RENEWAL_KINDS } from './renewal-kinds.ts';
import { RENEWAL_OCSP_KINDS } from './renewal-ocsp-kinds.ts';
import { ALL, give, type Open, type WholeCase } from './whole-case.ts';

/** A policy that names one authority. */
function nameAnchor(id: 'a' | 'b', { certificate_pem: pem }: PinnedAnchor): ShownTrustPolicy {
  const { log_signatures: _, ...policy } = DEFAULT_TRUST_POLICY;
  const anchor = { id, type: 'rfc3161' as const, url: 'https://authority.example', certificate_pem: pem ?? '' };
  return { ...policy, anchors: [{ ...anchor, required: false }], version: 1, updated_at: null };
}

/** Each kind of renewal of a token under a pinned anchor. */
export function listRenewals(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const { checkpoint } = world.bundle;
  const signed = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
  const digest = sha256(utf8(signed));
  const authorities = { a: openAuthority(), b: openAuthority(), c: openAuthority(), unpinned: openAuthority() };
  return [...RENEWAL_KINDS, ...RENEWAL_OCSP_KINDS, ...RENEWAL_HASH_KINDS].map(
    ({ name, first: craft = ENDS_2030, later, change, text = (same) => same, trust: alter, named, outcome }) => {
      const token = authorities.a.stamp(digest, craft);
      const pems = new Map([['a', token.pem]]);
      const renewals: BundleRenewal[] = [];
      let chains: Chains = [[{ token: tokenOf(token.response) }]];
      for (const { by: anchorId, craft: made, lists = [], responses = [], anew } of later) {
        const responded = responses.map((form) => makeOcspResponse(authorities.a.keys, form));
        const listed = lists.map(({ signedBy = 'a', ...form }) =>
          makeRevocationList(authorities[signedBy].keys('authority 1'), form),
        );
        const before = { text: text(signed), chains, anew };
        const {
          chains: longer,
          pem,
          renewal,
        } = renew(before, [...listed, ...responded], (root) => authorities[anchorId].stamp(root, made));
        if (anchorId !== 'unpinned') pems.set(anchorId, pem);
        renewals.push({ ...renewal, anchor_id: anchorId });
        chains = longer;
      }
      const anchors = [...pems].map(([id, pem]): PinnedAnchor => {
        return { anchor_id: id, type: 'rfc3161', required: id === 'a', certificate_pem: pem };
      });
      const pinned = { ...world.trust, anchors, anchors_required: 1 };
      const trust = { ...pinned, ...alter?.(pinned) };
      const shown = { anchor_id: 'a', type: 'rfc3161' as const, artefact: formatBase64(token.response) };
      const own = anchors.find(({ anchor_id: id }) => id === named);
      const policy = named === undefined || own === undefined ? world.bundle.policy : nameAnchor(named, own);
      const bundle = { ...world.bundle, anchors: [shown], renewals: change?.(renewals) ?? renewals, policy };
      const given = give({ ...world, trust, bundle: bundle as typeof world.bundle });
      const expected =
        outcome === ALL ? { fails: [ALL] } : { outcomes: { external_anchor: outcome, anchored: outcome } };
      return { id: `a token renewed ${name}`, given, expected };
    },
  );
}

type Chains = readonly (readonly ArchiveTimestamp[])[];

/** A response is the status, of five octets here, and the token. */
function tokenOf(response: Uint8Array): Uint8Array {
  const header = (response[1] ?? 0) < 0x80 ? 2 : 2 + ((response[1] ?? 0) & 0x7f);
  return response.subarray(header + 5);
}

/** A token over an earlier one, over lists of the time, and over something else. */
function renew(
  { text, chains, anew }: { readonly text: string; readonly chains: Chains; readonly anew: Later['anew'] },
  lists: readonly Uint8Array[],
  stamp: (root: Uint8Array) => { readonly response: Uint8Array; readonly pem: string },
) {
  const digest = anew === undefined ? sha256 : sha512;
  const last = chains.at(-1) ?? [];
  const own = digest(last.at(-1)?.token ?? new Uint8Array());
  const hashes = [anew === 'whole' ? rehashChains(utf8(text), chains) : own, ...lists.map((list) => digest(list))];
  const tree = buildArchiveTree([...hashes, digest(utf8('something else'))]);
  const found = hashes.map((hash) => findArchivePath(tree, hash) ?? []);
  const paths = found.map((path) => path.map((group) => group.map((hash) => formatHex(hash))));
  const { response, pem } = stamp(tree.root);
  const renewal = {
    type: 'rfc3161' as const,
    artefact: formatBase64(response),
    ...(anew === undefined ? {} : { hash: 'sha-512' as const }),
    paths: paths.slice(0, 1),
    revocation_lists: lists.map((list, n) => ({ list: formatBase64(list), path: paths[n + 1] ?? [] })),
  };
  const next = { path: found[0] ?? [], token: tokenOf(response) };
  const isOfLast = anew !== 'whole' && (anew === undefined || chains.length > 1);
  return { chains: isOfLast ? [...chains.slice(0, -1), [...last, next]] : [...chains, [next]], pem, renewal };
}
