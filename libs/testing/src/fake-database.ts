import { settingsCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import { MemoryTables } from '@answer-evidence/ledger/memory-tables';
import type { LeafRow } from '@answer-evidence/tables';

/** The tables of one workspace in memory. What a fake ledger commits, everything else reads here. */
export class FakeDatabase extends MemoryTables {
  /** The settings in force: the core of the newest `settings_changed` entry. */
  settings(): VersionedSettings {
    const newest = this.rows.workspace_entries.findLast(({ type }) => type === 'settings_changed');
    if (newest === undefined) throw new Error('the workspace has no settings yet');
    const core = settingsCore.parse(parseJsonText(newest.core_json));
    return { version: core.version, values: core.settings, updatedAt: this.leafOf(newest.id).at };
  }

  /** The leaf of an entry. */
  leafOf(id: string): LeafRow {
    const leaf = this.rows.ledger_leaves.find((candidate) => candidate.id === id);
    if (leaf === undefined) throw new Error(`no leaf has the id ${id}`);
    return leaf;
  }
}
