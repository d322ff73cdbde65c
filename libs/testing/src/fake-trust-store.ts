import { DEFAULT_TRUST_POLICY, isTokenAnchor, trustPolicyCore } from '@answer-evidence/contracts';
import { equalBytes, formatHex, parseJsonText } from '@answer-evidence/encoding';
import type { StoredAnchor, TrustPart, TrustStore } from '@answer-evidence/ports';
import type { AnchorRow, AttemptRow, CosignatureRow, PublishedRow, WitnessStateRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';

const MAC = new Uint8Array(32);

/** What vouches for the log of a workspace in memory, from outside. */
export function createFakeTrustStore(database: FakeDatabase, workspaceId: string): TrustStore {
  const published: PublishedRow[] = [];
  const cosignatures: CosignatureRow[] = [];
  const anchors: AnchorRow[] = [];
  const attempts: AttemptRow[] = [];
  let witnesses: readonly WitnessStateRow[] = [];
  const here = <T>(asked: string, value: T, nothing: T) => Promise.resolve(asked === workspaceId ? value : nothing);
  const newestFirst = () => published.toReversed();
  const stored = (rows: readonly AnchorRow[]): readonly StoredAnchor[] =>
    rows.map((anchor) => ({ anchor, attempts: attempts.filter((attempt) => attempt.anchor === anchor.id) }));
  const sortedAnchors = () =>
    anchors.toSorted((a, b) => b.tree_size - a.tree_size || (a.anchor_id < b.anchor_id ? -1 : 1));
  const cosignersOf = (size: number) =>
    cosignatures.flatMap((row) => (row.tree_size === size ? [formatHex(row.public_key)] : []));
  const rounds = () => sortedAnchors().filter(({ covered }) => covered === null);
  const numberOf = ({ anchor_id: id }: AnchorRow) => Number(id.split('-').at(-1));
  const tokens = () => rounds().filter(isTokenAnchor);
  const led = new Set<TrustPart>();

  return {
    policy() {
      const newest = database.rows.workspace_entries.findLast(({ type }) => type === 'trust_policy_changed');
      if (newest === undefined) return Promise.resolve({ version: 0, values: DEFAULT_TRUST_POLICY, updatedAt: null });
      const core = trustPolicyCore.parse(parseJsonText(newest.core_json));
      return Promise.resolve({ version: core.version, values: core.policy, updatedAt: database.leafOf(newest.id).at });
    },
    anchorSecrets: (asked) => here(asked, database.rows.anchor_secrets, []),

    newestPublished: (asked) => here(asked, published.at(-1), undefined),
    findPublished: (asked, size) =>
      here(
        asked,
        published.find((row) => row.tree_size === size),
        undefined,
      ),
    firstPublishedAbove: (asked, size) =>
      here(
        asked,
        published.find((row) => row.tree_size > size),
        undefined,
      ),
    listPublished: (asked, { offset, limit }) =>
      here(
        asked,
        { items: newestFirst().slice(offset, offset + limit), total: published.length },
        { items: [], total: 0 },
      ),
    publish(_asked, row) {
      if ((published.at(-1)?.tree_size ?? -1) >= row.tree_size) return Promise.resolve(false);
      published.push({ ...row, mac: MAC });
      return Promise.resolve(true);
    },

    cosignatures: (asked, size) =>
      here(
        asked,
        cosignatures.filter((row) => row.tree_size === size),
        [],
      ),
    addCosignature(_asked, row) {
      const isThere = cosignatures.some(
        (other) => other.tree_size === row.tree_size && equalBytes(other.public_key, row.public_key),
      );
      if (!isThere) cosignatures.push({ ...row, mac: MAC });
      return Promise.resolve();
    },
    witnessStates: (asked) => here(asked, witnesses, []),
    putWitnessState(_asked, row) {
      witnesses = [...witnesses.filter((other) => !equalBytes(other.public_key, row.public_key)), row];
      return Promise.resolve();
    },

    newestAnchors(asked) {
      const newest = Math.max(...rounds().map((row) => row.tree_size));
      return here(asked, stored(rounds().filter((row) => row.tree_size === newest)), []);
    },
    anchorsOf: (asked, size) => here(asked, stored(rounds().filter((row) => row.tree_size === size)), []),
    renewals: (asked) =>
      here(
        asked,
        stored(anchors.filter(({ covered }) => covered !== null).toSorted((a, b) => numberOf(a) - numberOf(b))),
        [],
      ),
    tokenAnchors(asked, from, trees) {
      const sizes = [...new Set(tokens().map((row) => row.tree_size))].filter((size) => size >= from);
      const wanted = sizes.sort((a, b) => a - b).slice(0, trees);
      return here(asked, stored(tokens().filter((row) => wanted.includes(row.tree_size))), []);
    },
    tokenEnds(asked, above, nowMicros) {
      const found = stored(tokens().filter((row) => row.tree_size > above)).flatMap((one) =>
        one.attempts.filter(({ outcome }) => outcome === 'confirmed'),
      );
      const ends = found.flatMap(({ ends_at: end }) => (end !== null && end > nowMicros ? [end] : []));
      const unknown = found.filter(({ ends_at: end }) => end === null).length;
      const earliest = ends.length === 0 ? null : Math.min(...ends);
      const known = { tokens: found.length, unknown, earliest };
      return here(asked, known, { tokens: 0, unknown: 0, earliest: null });
    },
    listAnchors: (asked, { offset, limit }) =>
      here(
        asked,
        { items: stored(sortedAnchors().slice(offset, offset + limit)), total: anchors.length },
        { items: [], total: 0 },
      ),
    addAnchors(_asked, rows) {
      for (const row of rows)
        if (!anchors.some((other) => other.tree_size === row.tree_size && other.anchor_id === row.anchor_id))
          anchors.push({ covered: null, kept: null, ...row, mac: MAC });
      return Promise.resolve();
    },
    addAttempt(_asked, row) {
      attempts.push({ ends_at: null, ...row, mac: MAC });
      return Promise.resolve();
    },
    confirmedTrees(asked, range, limit) {
      const ids = new Set(attempts.filter((row) => row.outcome === 'confirmed').map((row) => row.anchor));
      const confirmed = rounds().filter((row) => ids.has(row.id));
      const sizes = [...new Set(confirmed.map((row) => row.tree_size))];
      const wanted =
        'above' in range
          ? sizes.filter((size) => size > range.above).sort((a, b) => a - b)
          : sizes.filter((size) => size <= range.upTo).sort((a, b) => b - a);
      const trees = wanted.slice(0, limit).map((treeSize) => ({
        treeSize,
        anchors: confirmed.filter((row) => row.tree_size === treeSize).map(({ anchor_id: id, type }) => ({ id, type })),
        cosigners: cosignersOf(treeSize),
      }));
      return here(asked, trees, []);
    },
    cosignedTrees(asked, upTo, limit) {
      const sizes = [...new Set(cosignatures.map((row) => row.tree_size))].filter((size) => size <= upTo);
      const largest = sizes.sort((a, b) => b - a).slice(0, limit);
      return here(
        asked,
        largest.map((treeSize) => ({ treeSize, cosigners: cosignersOf(treeSize) })),
        [],
      );
    },

    async whileLeading(_asked, part, action) {
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
