import * as z from 'zod';
import { formatEntry } from '@answer-evidence/commitments';
import {
  actor,
  DEFAULT_TRUST_POLICY,
  type JsonObject,
  type JsonValue,
  type MentionedName,
  openObject,
  settingsCore,
  trustPolicyCore,
  type ValueChange,
  type WorkspaceEntryItem,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, isUuid, parseJsonText } from '@answer-evidence/encoding';
import {
  StoredDamageError,
  type StoredEntry,
  type StoredNames,
  type Workspace,
  type WorkspaceEntryStore,
} from '@answer-evidence/ports';
import type { WorkspaceEntryRow } from '@answer-evidence/tables';

/** Members of a core that name a member or a token, besides its actor. */
const MENTIONS = ['member_id', 'user_id', 'token_id', 'replaced_by', 'rotated_from'];

/** Entries about the workspace as the API returns them, with the names of whom they mention. */
export async function toEntryResources(
  entries: WorkspaceEntryStore,
  workspace: Workspace,
  stored: readonly StoredEntry[],
): Promise<readonly WorkspaceEntryItem[]> {
  const read = stored.map((one) => ({ one, ...readEntry(one) }));
  const ids = [...new Set(read.flatMap(({ mentioned }) => mentioned))];
  const names = ids.length === 0 ? undefined : await entries.namesOf(workspace.id, ids);
  return read.map(({ one: { row, leaf }, core, by, changes, mentioned }) => ({
    id: row.id,
    type: row.type,
    created_at: formatTimestamp(leaf.at),
    actor: by,
    core,
    changes,
    names: mentioned.flatMap((id) => nameOf(id, names)),
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
      entry: formatEntry(leaf),
    },
  }));
}

function nameOf(id: string, names: StoredNames | undefined): readonly MentionedName[] {
  const member = names?.members.get(id);
  if (member !== undefined) return [{ id, kind: 'member', name: member }];
  const token = names?.tokens.get(id);
  return token === undefined ? [] : [{ id, kind: 'token', name: token }];
}

/** What a row says. Throws `StoredDamageError` for what the service never wrote. */
function readEntry({ row, before }: StoredEntry) {
  try {
    const core = openObject.parse(parseJsonText(row.core_json));
    const by = core['actor'] === undefined ? null : actor.parse(core['actor']);
    const ids = [by?.kind === 'user' ? by.id : undefined, by?.token_id, ...MENTIONS.map((name) => core[name])];
    const mentioned = new Set(ids.filter((id): id is string => typeof id === 'string' && isUuid(id)));
    return { core, by, changes: changesOf(row, before), mentioned: [...mentioned] };
  } catch (error) {
    if (!(error instanceof z.ZodError) && !(error instanceof Error && error.name === 'JsonError')) throw error;
    throw new StoredDamageError('an entry about the workspace cannot be read', { cause: error });
  }
}

/** What an entry that holds a whole version changed; null for entries that hold none. */
function changesOf(row: WorkspaceEntryRow, before: WorkspaceEntryRow | undefined): ValueChange[] | null {
  switch (row.type) {
    case 'settings_changed':
      return compare(before && settingsOf(before), settingsOf(row));
    case 'trust_policy_changed':
      return compare(before === undefined ? DEFAULT_TRUST_POLICY : policyOf(before), policyOf(row));
    default:
      return null;
  }
}

const settingsOf = (row: WorkspaceEntryRow) => settingsCore.parse(parseJsonText(row.core_json)).settings;
const policyOf = (row: WorkspaceEntryRow) => trustPolicyCore.parse(parseJsonText(row.core_json)).policy;

/** The members that differ, in the order of `after`. */
function compare(before: object | undefined, after: object): ValueChange[] {
  const old = (before ?? {}) as JsonObject;
  const isEqual = (a: JsonValue, b: JsonValue) => JSON.stringify(a) === JSON.stringify(b);
  return Object.entries(after as JsonObject).flatMap(([name, value]) =>
    before !== undefined && isEqual(old[name] ?? null, value)
      ? []
      : [{ name, before: old[name] ?? null, after: value }],
  );
}
