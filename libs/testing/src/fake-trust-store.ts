import { DEFAULT_TRUST_POLICY, isTokenAnchor, trustPolicyCore } from '@answer-evidence/contracts';
import { equalBytes, formatHex, parseJsonText } from '@answer-evidence/encoding';
import type { StoredAnchor, TrustPart, TrustStore } from '@answer-evidence/ports';
import type { AnchorRow, AttemptRow, CosignatureRow, PublishedRow, WitnessStateRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { findPage, type OfWorkspace } from './fake-store.ts';

const MAC = new Uint8Array(32);

/** What vouches for the log of a workspace in memory, from outside. */
export function trustOver(database: FakeDatabase): OfWorkspace<TrustStore> {
  const published: PublishedRow[] = [];
  const cosignatures: CosignatureRow[] = [];
  const anchors: AnchorRow[] = [];
  const attempts: AttemptRow[] = [];
  let witnesses: readonly WitnessStateRow[] = [];
  const stored = (rows: readonly AnchorRow[]): readonly StoredAnchor[] =>
    rows.map((anchor) => ({ anchor, attempts: attempts.filter((attempt) => attempt.anchor === anchor.id) }));
  const sortedAnchors = () =>
    anchors.toSorted((a, b) => b.tree_size - a.tree_size || (a.anchor_id < b.anchor_id ? -1 : 1));
  const cosignersOf = (size: number) =>
    cosignatures.flatMap((row) => (row.tree_size === size ? [formatHex(row.public_key)] : []));
  const rounds = () => sortedAnchors().filter(({ covered }) => covered === null);
  const anchorsOf = (size: number) => stored(rounds().filter((row) => row.tree_size === size));
  const numberOf = ({ anchor_id: id }: AnchorRow) => Number(id.split('-').at(-1));
  const tokens = () => rounds().filter(isTokenAnchor);
  const sizesOf = (rows: readonly { readonly tree_size: number }[]) =>
    [...new Set(rows.map((row) => row.tree_size))].sort((a, b) => a - b);
  const led = new Set<TrustPart>();

  const policies = () =>
    database.rows.workspace_entries.flatMap(({ id, type, core_json: text }) => {
      if (type !== 'trust_policy_changed') return [];
      const { version, policy: values } = trustPolicyCore.parse(parseJsonText(text));
      return [{ version, values, updatedAt: database.leafOf(id).at }];
    });

  return {
    policy: () => policies().at(-1) ?? { version: 0, values: DEFAULT_TRUST_POLICY, updatedAt: null },
    findPolicy: (version) => policies().find((policy) => policy.version === version),
    anchorSecrets: () => database.rows.anchor_secrets,

    newestPublished: () => published.at(-1),
    findPublished: (size) => published.find((row) => row.tree_size === size),
    firstPublishedAbove: (size) => published.find((row) => row.tree_size > size),
    listPublished: (page) => findPage(published.toReversed(), page),
    publish(row) {
      if ((published.at(-1)?.tree_size ?? -1) >= row.tree_size) return false;
      published.push({ ...row, mac: MAC });
      return true;
    },

    cosignatures: (size) => cosignatures.filter((row) => row.tree_size === size),
    addCosignature(row) {
      const isThere = cosignatures.some(
        (other) => other.tree_size === row.tree_size && equalBytes(other.public_key, row.public_key),
      );
      if (!isThere) cosignatures.push({ ...row, mac: MAC });
    },
    witnessStates: () => witnesses,
    putWitnessState(row) {
      witnesses = [...witnesses.filter((other) => !equalBytes(other.public_key, row.public_key)), row];
    },

    newestAnchors: () => anchorsOf(sizesOf(rounds()).at(-1) ?? 0),
    anchorsOf,
    renewals: () =>
      stored(anchors.filter(({ covered }) => covered !== null).toSorted((a, b) => numberOf(a) - numberOf(b))),
    tokenAnchors(from, trees) {
      const wanted = sizesOf(tokens().filter((row) => row.tree_size >= from)).slice(0, trees);
      return stored(tokens().filter((row) => wanted.includes(row.tree_size)));
    },
    tokenEnds(above, nowMicros) {
      const found = stored(tokens().filter((row) => row.tree_size > above)).flatMap((one) =>
        one.attempts.filter(({ outcome }) => outcome === 'confirmed'),
      );
      const ends = found.flatMap(({ ends_at: end }) => (end !== null && end > nowMicros ? [end] : []));
      const unknown = found.filter(({ ends_at: end }) => end === null).length;
      return { tokens: found.length, unknown, earliest: ends.length === 0 ? null : Math.min(...ends) };
    },
    listAnchors(page) {
      const found = findPage(sortedAnchors(), page);
      return { ...found, items: stored(found.items) };
    },
    addAnchors(rows) {
      for (const row of rows)
        if (!anchors.some((other) => other.tree_size === row.tree_size && other.anchor_id === row.anchor_id))
          anchors.push({ covered: null, kept: null, ...row, mac: MAC });
    },
    addAttempt: (row) => void attempts.push({ ends_at: null, ...row, mac: MAC }),
    confirmedTrees(range, limit) {
      const ids = new Set(attempts.filter((row) => row.outcome === 'confirmed').map((row) => row.anchor));
      const confirmed = rounds().filter((row) => ids.has(row.id));
      const sizes = sizesOf(confirmed);
      const wanted =
        'above' in range
          ? sizes.filter((size) => size > range.above)
          : sizes.filter((size) => size <= range.upTo).reverse();
      return wanted.slice(0, limit).map((treeSize) => ({
        treeSize,
        anchors: confirmed.filter((row) => row.tree_size === treeSize).map(({ anchor_id: id, type }) => ({ id, type })),
        cosigners: cosignersOf(treeSize),
      }));
    },
    cosignedTrees: (upTo, limit) =>
      sizesOf(cosignatures.filter((row) => row.tree_size <= upTo))
        .reverse()
        .slice(0, limit)
        .map((treeSize) => ({ treeSize, cosigners: cosignersOf(treeSize) })),

    async whileLeading(part, action) {
      if (led.has(part)) return false;
      led.add(part);
      try {
        await action();
        return true;
      } finally {
        led.delete(part);
      }
    },
  };
}
