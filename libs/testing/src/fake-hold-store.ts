import { holdPlacedCore, holdReleasedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type HoldEntry, holdsInForce } from '@answer-evidence/lifecycle';
import type { HoldStore, PlacedRecord, StoredHold } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { findLeafPage } from './leaf-page.ts';

/** Holds of a workspace in memory, by what the domain says of the entries. */
export function createFakeHoldStore(database: FakeDatabase, workspaceId: string): HoldStore {
  const isHere = (asked: string) => asked === workspaceId;
  function entries(asked: string): readonly HoldEntry[] {
    return (isHere(asked) ? database.rows.workspace_entries : []).flatMap((row): HoldEntry[] => {
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
  function all(asked: string): readonly StoredHold[] {
    const known = entries(asked);
    return known
      .filter(({ type }) => type === 'hold_placed')
      .map(({ core }) => {
        const end = known.find((entry) => entry.type === 'hold_released' && entry.core.hold_id === core.id);
        return { ...stored(core.id), release: end && stored(end.core.id) };
      })
      .toReversed();
  }
  function records(asked: string, ids: ReadonlySet<string>): readonly PlacedRecord[] {
    return (isHere(asked) ? database.rows.answer_records : [])
      .filter(({ id }) => ids.has(id))
      .map((row) => ({ ...row, at: database.leafOf(row.id).at, leafIndex: row.leaf_index }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
  return {
    inForce(asked) {
      const known = entries(asked);
      const count = (type: HoldEntry['type']) => known.filter((entry) => entry.type === type).length;
      return Promise.resolve({
        placed: count('hold_placed'),
        released: count('hold_released'),
        holds: holdsInForce(known),
      });
    },
    list(asked, status, page) {
      const matching = all(asked).filter(
        ({ release }) => status === undefined || (release === undefined) === (status === 'in_force'),
      );
      return Promise.resolve(findLeafPage(matching, page));
    },
    find: (asked, holdId) => Promise.resolve(all(asked).find(({ row }) => row.id === holdId)),
    records: (asked, recordIds) => Promise.resolve(records(asked, new Set(recordIds))),
    recordsOfAsset(asked, assetId, after = '', limit) {
      const held = records(asked, new Set(database.recordsHolding(assetId)));
      return Promise.resolve(held.filter(({ id }) => id > after).slice(0, limit));
    },
  };
}
