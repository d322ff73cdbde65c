import { holdPlacedCore, holdReleasedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type HoldEntry, holdsInForce } from '@answer-evidence/lifecycle';
import type { HoldStore, PlacedRecord, StoredHold } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { findLeafPage, type OfWorkspace } from './fake-store.ts';

/** Holds of a workspace in memory, by what the domain says of the entries. */
export function holdsOver(database: FakeDatabase): OfWorkspace<HoldStore> {
  function entries(): readonly HoldEntry[] {
    return database.rows.workspace_entries.flatMap((row): HoldEntry[] => {
      const leafIndex = database.leafOf(row.id).leaf_index;
      const core = parseJsonText(row.core_json);
      if (row.type === 'hold_placed') return [{ type: row.type, leafIndex, core: holdPlacedCore.parse(core) }];
      return row.type === 'hold_released' ? [{ type: row.type, leafIndex, core: holdReleasedCore.parse(core) }] : [];
    });
  }
  function stored(id: string) {
    const row = database.rows.workspace_entries.find((entry) => entry.id === id);
    if (row === undefined) throw new Error('there is a row of each entry');
    return { row, leaf: database.leafOf(id) };
  }
  function all(): readonly StoredHold[] {
    const known = entries();
    return known
      .filter(({ type }) => type === 'hold_placed')
      .map(({ core }) => {
        const end = known.find((entry) => entry.type === 'hold_released' && entry.core.hold_id === core.id);
        return { ...stored(core.id), release: end && stored(end.core.id) };
      })
      .toReversed();
  }
  function records(ids: readonly string[]): readonly PlacedRecord[] {
    return database.rows.answer_records
      .filter(({ id }) => ids.includes(id))
      .map((row) => ({ ...row, at: database.leafOf(row.id).at, leafIndex: row.leaf_index }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
  return {
    inForce() {
      const known = entries();
      const count = (type: HoldEntry['type']) => known.filter((entry) => entry.type === type).length;
      return { placed: count('hold_placed'), released: count('hold_released'), holds: holdsInForce(known) };
    },
    list(status, page) {
      const matching = all().filter(
        ({ release }) => status === undefined || (release === undefined) === (status === 'in_force'),
      );
      return findLeafPage(matching, page);
    },
    find: (holdId) => all().find(({ row }) => row.id === holdId),
    records,
    recordsOfAsset: (assetId, after = '', limit) =>
      records(database.recordsHolding(assetId))
        .filter(({ id }) => id > after)
        .slice(0, limit),
  };
}
