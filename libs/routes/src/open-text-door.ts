import { actorOf, type Caller, decideReading, mayReadTexts } from '@answer-evidence/access';
import { type Belonging, REASON_HEADER, ServiceError, TEXTS_HEADER, TEXTS_WITHHELD } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, nameRoles, type Operation } from '@answer-evidence/contracts/operations';
import {
  createNoteCommand,
  guardCommand,
  readingEntry,
  type VersionedSettings,
  type WorkspaceEntry,
} from '@answer-evidence/ledger';
import {
  holdsTexts,
  type IdSource,
  type Ledger,
  newCoreIdentity,
  type StoredRecord,
  type TextDoor,
} from '@answer-evidence/ports';
import { readingReasonOf, type WithHeaders } from './reading-reason.ts';

/** What deciding about a reading needs. */
type ReadingDeps = IdSource & {
  readonly ledger: Pick<Ledger, 'append'>;
  /** The settings in force, as the database has them now. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
};

/** A request that would be given texts. */
export type ReadingRequest = {
  readonly request: WithHeaders;
  readonly caller: Caller;
  readonly operation: Pick<Operation, 'operationId'>;
};

/** What the request has written already: an event, whose text is no secret from its author, or a record. */
export type Written = { readonly eventId?: string | undefined };

/** How texts may leave, and the entry that must be in the log before they do: none if nothing is read. */
export type PlannedReading = {
  readonly door: TextDoor;
  readonly entriesFor: (recordIds: readonly string[]) => readonly WorkspaceEntry[];
};

/**
 * Decides about the texts that a request asks for, by the rule of the workspace. This is the one place that does. The
 * entries are appended before anything leaves by the door.
 */
async function planReading(deps: ReadingDeps, { request, caller, operation }: ReadingRequest): Promise<PlannedReading> {
  const given = readingReasonOf(request);
  const { values } = await deps.readFreshSettings(caller.workspaceId);
  const decision = decideReading(values.answer_audit_reading_rule, caller, given !== undefined);
  if (decision === 'withhold') return { door: { texts: 'withheld' }, entriesFor: () => [] };
  if (decision === 'free') return { door: { texts: 'shown', vouchedBy: null }, entriesFor: () => [] };
  const identity = newCoreIdentity(deps);
  const { reason_code = null, reason = null } = given ?? {};
  const said = { operation: operation.operationId, reason_code, reason, actor: actorOf(caller) };
  return {
    door: { texts: 'shown', vouchedBy: identity.id },
    entriesFor: (recordIds) => (recordIds.length === 0 ? [] : [readingEntry(identity, recordIds, said)]),
  };
}

/**
 * The same for texts that leave as a file or a proof, which would be another thing without them. Throws
 * `reason_required` or `role_not_allowed` where they may not leave.
 */
export async function planWholeReading(deps: ReadingDeps, reading: ReadingRequest): Promise<PlannedReading> {
  if (!mayReadTexts(reading.caller))
    throw new ServiceError(
      'role_not_allowed',
      `only ${nameRoles(ACCESS_MATRIX['texts.read'].people)} may read texts; ask for it without (texts=withheld), or ask one`,
    );
  const planned = await planReading(deps, reading);
  if (planned.door.texts === 'withheld')
    throw new ServiceError(
      'reason_required',
      `this workspace gives texts for a reason only; say it in the header ${REASON_HEADER}`,
    );
  return planned;
}

/**
 * The door of one record. A caller may want no texts (`Service-Texts: withheld`), as the console does for each browser.
 * What has no texts is free. A request that has written is done: where its reading cannot be entered now, the reply
 * comes without the texts. A request that only reads gets the error.
 */
export async function openTextDoor(
  deps: ReadingDeps,
  reading: ReadingRequest,
  stored: StoredRecord,
  written?: Written,
): Promise<TextDoor> {
  const ownEventId = written?.eventId;
  const isUnwanted = wantsNoTexts(reading.request) || !mayReadTexts(reading.caller);
  if (isUnwanted || !holdsTexts(stored, ownEventId))
    return isUnwanted ? { texts: 'withheld', exceptEventId: ownEventId } : { texts: 'shown', vouchedBy: null };
  const { door, entriesFor } = await planReading(deps, reading);
  if (door.texts === 'withheld') return { ...door, exceptEventId: ownEventId };
  try {
    await noteReading(deps, reading.caller, entriesFor([stored.record.id]), stored.record);
  } catch (error) {
    if (written === undefined || !(error instanceof ServiceError) || error.remedy !== 'retry') throw error;
    return { texts: 'withheld', exceptEventId: ownEventId };
  }
  return door;
}

/** Appends the entries of a reading, durably; nothing where there are none. */
export async function noteReading(
  deps: ReadingDeps,
  caller: Caller,
  entries: readonly WorkspaceEntry[],
  ...of: readonly Belonging[]
): Promise<void> {
  const { workspaceId } = caller;
  if (entries.length === 0) return;
  const command = guardCommand(createNoteCommand(workspaceId, ...entries), actorOf(caller), 'texts.read', ...of);
  await deps.ledger.append(workspaceId, () => command);
}

/** Whether the caller asks for a reply without texts. */
export function wantsNoTexts(request: WithHeaders): boolean {
  return request.header(TEXTS_HEADER.toLowerCase()) === TEXTS_WITHHELD;
}

/** What a reply says of the door that its texts did not leave by. */
export function textHeadersOf(door: TextDoor): Readonly<Record<string, string>> {
  return door.texts === 'withheld' ? { [TEXTS_HEADER]: TEXTS_WITHHELD } : {};
}
