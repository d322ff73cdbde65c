import {
  type BundleRenewal,
  DEFAULT_TRUST_POLICY,
  type PinnedAnchor,
  type ShownTrustPolicy,
} from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, formatHex, utf8 } from '@answer-evidence/encoding';
import { buildArchiveTree, findArchivePath } from '@answer-evidence/merkle';
import { reseal } from '../reseal.ts';
import { makeOcspResponse } from '../stamps/ocsp-responses.ts';
import { makeRevocationList } from '../stamps/revocation-lists.ts';
import { openAuthority } from '../stamps/tokens.ts';
import { ENDS_2030, RENEWAL_KINDS } from './renewal-kinds.ts';
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
  const digest = sha256(utf8(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)));
  const authorities = { a: openAuthority(), b: openAuthority(), c: openAuthority(), unpinned: openAuthority() };
  return [...RENEWAL_KINDS, ...RENEWAL_OCSP_KINDS].map(
    ({ name, first: craft = ENDS_2030, later, change, trust: alter, named, outcome }) => {
      const token = authorities.a.stamp(digest, craft);
      const pems = new Map([['a', token.pem]]);
      const renewals: BundleRenewal[] = [];
      let last = token.response;
      for (const { by: anchorId, craft: made, lists = [], responses = [] } of later) {
        const responded = responses.map((form) => makeOcspResponse(authorities.a.keys, form));
        const listed = lists.map(({ signedBy = 'a', ...form }) =>
          makeRevocationList(authorities[signedBy].keys('authority 1'), form),
        );
        const { response, pem, renewal } = renew(last, [...listed, ...responded], (root) =>
          authorities[anchorId].stamp(root, made),
        );
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
    paths: paths.slice(0, 1),
    revocation_lists: lists.map((list, n) => ({ list: formatBase64(list), path: paths[n + 1] ?? [] })),
  };
  return { response, pem, renewal };
}
