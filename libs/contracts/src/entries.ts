import * as z from 'zod';
import { actor } from './actors.ts';
import { type JsonValue, openObject } from './json.ts';
import { type EntryType, entryType, ledgerPosition } from './ledger-entries.ts';
import { pageOf, pageQuery } from './pages.ts';
import { anyUuid, dateTime, KEY_LENGTH_MAX, timestamp, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';

/**
 * The entries that are about the workspace itself, and not about a record or evidence. For each type, the members of
 * its core that tell its entries apart, in the order in which they are shown.
 */
const ENTRY_MEMBERS = {
  genesis: ['vkey'],
  settings_changed: [],
  hash_key_changed: ['hash_key_id'],
  ledger_key_changed: ['vkey'],
  trust_policy_changed: [],
  token_issued: ['name', 'application_key'],
  token_revoked: ['token_id'],
  member_changed: ['username', 'changes'],
  reconciliation_completed: ['application_key'],
  export_made: ['format', 'records'],
  epoch_opened: ['vkey'],
  sweep_confirmed: [],
  notification_target_changed: ['name', 'change'],
  texts_revealed: ['operation', 'reason_code', 'reason', 'answer_log_id'],
  proof_link_made: ['shows', 'answer_log_id'],
  proof_link_opened: ['answer_log_id'],
  proof_link_revoked: ['answer_log_id'],
  search_opened: ['reason_code', 'reason'],
  stream_changed: ['name', 'change'],
  approval_requested: ['act', 'reason'],
  approval_decided: ['decision', 'act'],
  hold_placed: ['matter', 'reason'],
  hold_released: ['matter', 'reason'],
} as const satisfies Partial<Readonly<Record<EntryType, readonly string[]>>>;

/** The types of these entries. */
export const WORKSPACE_ENTRY_TYPES = Object.keys(ENTRY_MEMBERS) as [
  keyof typeof ENTRY_MEMBERS,
  ...(keyof typeof ENTRY_MEMBERS)[],
];

/** A member of a core that tells an entry apart from others of its type. */
export type EntryFact = {
  readonly member: (typeof ENTRY_MEMBERS)[keyof typeof ENTRY_MEMBERS][number];
  readonly value: string | number;
  /** What the value is called, if it is an id whose bearer has a name. */
  readonly name?: string | undefined;
};

/** What an entry is about. Empty for one whose `changes` say it, and for a type that this version does not know. */
export function factsOf({
  type,
  core,
  names,
}: Pick<WorkspaceEntryItem, 'type' | 'core' | 'names'>): readonly EntryFact[] {
  const members: readonly EntryFact['member'][] =
    type in ENTRY_MEMBERS ? ENTRY_MEMBERS[type as keyof typeof ENTRY_MEMBERS] : [];
  return members.flatMap((member) =>
    [core[member] ?? []]
      .flat()
      .flatMap((value) =>
        typeof value === 'string' || typeof value === 'number'
          ? [{ member, value, name: names.find(({ id }) => id === value)?.name }]
          : [],
      ),
  );
}

/** Filters of the list of workspace entries. */
export const workspaceEntryFilters = z.strictObject({
  type: z.enum(WORKSPACE_ENTRY_TYPES).optional(),
  /** Who did it: the id of a member, the key of an application, or the name of a part of the service. */
  actor_id: z.string().min(1, 'must not be empty').check(atMost(KEY_LENGTH_MAX)).optional(),
  /** Readings of the texts of this record. */
  answer_log_id: anyUuid.optional(),
  created_after: dateTime.optional(),
  created_before: dateTime.optional(),
});
export type WorkspaceEntryFilters = z.infer<typeof workspaceEntryFilters>;
/** Query of the list of workspace entries. */
export const workspaceEntryQuery = z.strictObject({ ...workspaceEntryFilters.shape, ...pageQuery.shape });

const jsonValue = z.custom<JsonValue>((value) => value !== undefined).meta({ description: 'Any JSON value' });

/** A setting or a member of the policy that an entry changed; null where there was no version before. */
export const valueChange = z.strictObject({ name: z.string(), before: jsonValue, after: jsonValue });
export type ValueChange = z.infer<typeof valueChange>;

/** What an id in an entry is called. The log has the id alone; the name is the one that its bearer has or had. */
export const mentionedName = z.strictObject({
  id: uuid,
  kind: z.enum(['member', 'token']),
  name: z.string(),
});
export type MentionedName = z.infer<typeof mentionedName>;

/**
 * An entry of the log about the workspace. `core` is what the `hash` of the entry commits to, see the formats.
 * `changes` compares settings or a policy with the version before, and is null for all other types.
 */
export const workspaceEntry = z.strictObject({
  id: uuid,
  type: entryType,
  created_at: timestamp,
  actor: actor.nullable(),
  core: openObject,
  changes: z.array(valueChange).nullable(),
  names: z.array(mentionedName),
  ledger: ledgerPosition,
});
export type WorkspaceEntryItem = z.infer<typeof workspaceEntry>;

/** `GET /api/tenant/entries`. */
export const workspaceEntryList = pageOf(workspaceEntry);

/** `GET /api/tenant/entries/{entry_id}`: with a receipt, by which anyone verifies that the log has the entry. */
export const workspaceEntryWithReceipt = z.strictObject({ ...workspaceEntry.shape, receipt: z.string() });
export type WorkspaceEntryWithReceipt = z.infer<typeof workspaceEntryWithReceipt>;
