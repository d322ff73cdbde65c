import { settingsCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import { MemoryTables } from '@answer-evidence/ledger/memory-tables';
import type { CredentialRow, DeadLetterRow, LeafRow, MemberRow } from '@answer-evidence/tables';

/** The tables of one workspace in memory. What a fake ledger commits, everything else reads here. */
export class FakeDatabase extends MemoryTables {
  /** The settings in force: the core of the newest `settings_changed` entry. */
  settings(): VersionedSettings {
    const newest = this.rows.workspace_entries.findLast(({ type }) => type === 'settings_changed');
    if (newest === undefined) throw new Error('the workspace has no policy yet');
    const core = settingsCore.parse(parseJsonText(newest.core_json));
    return { version: core.version, values: core.settings, updatedAt: this.leafOf(newest.id).at };
  }

  /** The leaf of an entry. */
  leafOf(id: string): LeafRow {
    const leaf = this.leaves.find((candidate) => candidate.id === id);
    if (leaf === undefined) throw new Error(`no leaf has the id ${id}`);
    return leaf;
  }

  get leaves() {
    return this.rows.ledger_leaves;
  }
  get commits() {
    return this.rows.ledger_commits;
  }
  get records() {
    return this.rows.answer_records;
  }
  get events() {
    return this.rows.lifecycle_events;
  }
  get tokens() {
    return this.rows.tokens;
  }
  get hashKeys() {
    return this.rows.hash_keys;
  }
  get members() {
    return this.rows.members;
  }
  set members(rows: MemberRow[]) {
    this.rows.members = rows;
  }
  get credentials() {
    return this.rows.member_credentials;
  }
  set credentials(rows: CredentialRow[]) {
    this.rows.member_credentials = rows;
  }
  get workspaceEntries() {
    return this.rows.workspace_entries;
  }
  get jobs() {
    return this.rows.outbox;
  }
  get deadLetters() {
    return this.rows.dead_letters;
  }
  set deadLetters(rows: DeadLetterRow[]) {
    this.rows.dead_letters = rows;
  }
}
