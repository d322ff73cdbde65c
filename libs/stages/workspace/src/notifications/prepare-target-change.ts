import {
  type Actor,
  type CreateMailTargetRequest,
  type CreateTargetRequest,
  NOTIFICATION_TARGETS_MAX,
  type NotificationTargetCore,
  type PatchTargetRequest,
  type PutOwnNotificationsRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import { createTargetCommand, type TargetChange } from '@answer-evidence/ledger';
import { newCoreIdentity, newId, type StoredTarget, type StoredTargets, type Workspace } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';
import type { NotificationDeps } from './deps.ts';
import { formatMail, readMail } from './mail-terms.ts';
import { openTarget, type PendingCode, sealTarget, type TargetSecrets } from './target-secrets.ts';

/** What a manager wants of a target. */
export type WantedChange =
  | {
      readonly kind: 'created';
      readonly targetId: string;
      readonly body: CreateTargetRequest;
      readonly key: Uint8Array;
    }
  | {
      readonly kind: 'mail_created';
      readonly targetId: string;
      readonly body: CreateMailTargetRequest;
      readonly code: PendingCode;
      /** Whose own they are. */
      readonly memberId?: string;
    }
  | { readonly kind: 'confirmed'; readonly targetId: string; readonly isOwn?: boolean }
  | { readonly kind: 'own_changed'; readonly targetId: string; readonly body: PutOwnNotificationsRequest }
  | { readonly kind: 'changed'; readonly targetId: string; readonly body: PatchTargetRequest }
  | {
      readonly kind: 'secret_rotated';
      readonly targetId: string;
      readonly key: Uint8Array;
      readonly overlapSeconds: number;
    }
  | { readonly kind: 'removed'; readonly targetId: string; readonly isOwn?: boolean };

type Known = { readonly workspace: Workspace; readonly stored: StoredTargets; readonly actor: Actor };

/** The change as it goes to the log, on top of the targets as they are now; or its refusal. */
export function prepareTargetChange(deps: NotificationDeps, known: Known, wanted: WantedChange) {
  const { workspace, stored } = known;
  return createTargetCommand(workspace.id, stored.version, planChange(deps, known, wanted));
}

/** Whether a member changes what is mailed to themselves. */
export function isOwnChange(wanted: WantedChange): boolean {
  if (wanted.kind === 'own_changed') return true;
  if (wanted.kind === 'mail_created') return wanted.memberId !== undefined;
  return 'isOwn' in wanted && wanted.isOwn === true;
}

/** Whether a member has asked for what is so already. */
export function areTermsOf(row: TargetRow, body: PutOwnNotificationsRequest): boolean {
  return termsAfter(row, body) === row.mail_json && formatTypes(body.event_types ?? null) === row.event_types_json;
}

/** Which members of a target a request changes. */
export function changedMembers(
  workspace: Workspace,
  { row, state }: StoredTarget,
  body: PatchTargetRequest,
): NotificationTargetCore['changed'] {
  const { name, url, event_types: types } = body;
  return [
    ...(name !== undefined && name !== row.name ? (['name'] as const) : []),
    ...(url !== undefined && url !== openTarget(workspace, row).url ? (['url'] as const) : []),
    ...(types !== undefined && formatTypes(types) !== row.event_types_json ? (['event_types'] as const) : []),
    ...(body.state !== undefined && body.state !== state.state ? (['state'] as const) : []),
  ];
}

function planChange(deps: NotificationDeps, known: Known, wanted: WantedChange): TargetChange | ServiceError {
  const { workspace, stored, actor } = known;
  const found = stored.targets.find(({ row }) => row.id === wanted.targetId);
  const isNew = wanted.kind === 'created' || wanted.kind === 'mail_created';
  if (!isNew && found === undefined) return noTarget();
  const refusal = judge(stored, found, wanted);
  if (refusal !== undefined) return refusal;
  const identity = newCoreIdentity(deps);
  const secrets = secretsAfter(deps, workspace, found, wanted);
  const before = found?.row;
  const row = {
    id: wanted.targetId,
    name: nameOf(wanted) ?? before?.name ?? '',
    origin: wanted.kind === 'removed' ? (before?.origin ?? '') : originOf(secrets.url),
    ...(wanted.kind === 'removed'
      ? { object_id: identity.id, wrapped_key: new Uint8Array(), sealed: new Uint8Array() }
      : sealTarget(workspace, identity.id, wanted.targetId, secrets)),
    event_types_json: typesAfter(before, wanted),
    created_at: before?.created_at ?? null,
    version: (before?.version ?? 0) + 1,
    mail_json: mailAfter(before, wanted, actor),
    member_id: wanted.kind === 'mail_created' ? (wanted.memberId ?? null) : (before?.member_id ?? null),
  };
  const state = stateAfter(wanted, found);
  const now = deps.clock.nowMicros();
  const isEnabled = !isNew && state?.state === 'active';
  return {
    core: {
      ...identity,
      version: stored.version + 1,
      target_id: row.id,
      name: row.name,
      origin: row.origin,
      ...namesOf(workspace, found, wanted),
      actor,
    },
    row,
    state,
    job: isEnabled
      ? { id: newId(deps), topic: 'notifications.deliver', subject: row.id, created_at: now, due_at: now }
      : undefined,
  };
}

/** That there is no such target. */
export function noTarget(): ServiceError {
  return new ServiceError('not_found', 'no such target exists in this workspace; check its id');
}

/** How the entry names the change. */
function namesOf(
  workspace: Workspace,
  found: StoredTarget | undefined,
  wanted: WantedChange,
): Pick<NotificationTargetCore, 'change' | 'changed'> {
  if (wanted.kind === 'mail_created') return { change: 'created', changed: [] };
  if (wanted.kind === 'confirmed') return { change: 'changed', changed: ['state'] };
  if (wanted.kind === 'own_changed') {
    const isOther = formatTypes(wanted.body.event_types ?? null) !== found?.row.event_types_json;
    return { change: 'changed', changed: isOther ? ['event_types'] : [] };
  }
  const isChange = wanted.kind === 'changed' && found !== undefined;
  return { change: wanted.kind, changed: isChange ? changedMembers(workspace, found, wanted.body) : [] };
}

/** Of an address of mail its domain: who it is may be nobody's business. */
function originOf(url: string): string {
  return url.startsWith('mailto:') ? `mailto:${url.slice(url.lastIndexOf('@') + 1)}` : new URL(url).origin;
}

function mailAfter(before: TargetRow | undefined, wanted: WantedChange, { id }: Actor): string | null {
  if (wanted.kind === 'own_changed' && before !== undefined) return termsAfter(before, wanted.body);
  if (wanted.kind !== 'mail_created') return before?.mail_json ?? null;
  const { digest, hour, language } = wanted.body;
  return formatMail({ digest, hour: hour ?? null, language, member_id: id });
}

function termsAfter(row: TargetRow, { digest, hour, language }: PutOwnNotificationsRequest): string | null {
  const mail = readMail(row);
  return mail === undefined ? null : formatMail({ ...mail, digest, hour: hour ?? null, language });
}

function nameOf(wanted: WantedChange): string | undefined {
  return 'body' in wanted && 'name' in wanted.body ? wanted.body.name : undefined;
}

function judge(
  { targets }: StoredTargets,
  found: StoredTarget | undefined,
  wanted: WantedChange,
): ServiceError | undefined {
  if (isOwnChange(wanted)) return judgeOwn(targets, found, wanted);
  const name = nameOf(wanted);
  if (name !== undefined && targets.some(({ row }) => row.name === name && row.id !== wanted.targetId))
    return new ServiceError('name_taken', 'another target has this name; choose a new one');
  const refusal = found === undefined ? undefined : judgeMail(found, wanted);
  if (refusal !== undefined) return refusal;
  const shared = targets.filter(({ row }) => row.member_id === null);
  if (found === undefined && shared.length >= NOTIFICATION_TARGETS_MAX)
    return new ServiceError(
      'limit_reached',
      `a workspace may have at most ${NOTIFICATION_TARGETS_MAX} targets; remove unused ones`,
    );
  return undefined;
}

/** Of what a member has mailed to themselves there is one. */
function judgeOwn(
  targets: StoredTargets['targets'],
  found: StoredTarget | undefined,
  wanted: WantedChange,
): ServiceError | undefined {
  if (wanted.kind !== 'mail_created') return found?.row.member_id === null ? noTarget() : undefined;
  return targets.some(({ row }) => row.member_id === wanted.memberId)
    ? new ServiceError('limit_reached', 'your notifications were set up meanwhile; retry to change them')
    : undefined;
}

/** A target of mail keeps its address, has no secret, and is active only once its address is confirmed. */
function judgeMail({ row, state }: StoredTarget, wanted: WantedChange): ServiceError | undefined {
  if (row.mail_json === null) return undefined;
  if (wanted.kind === 'secret_rotated')
    return refused('', 'the target must be a webhook: a target of mail has no secret to rotate');
  if (wanted.kind !== 'changed') return undefined;
  if (wanted.body.url !== undefined)
    return refused('/url', 'must be left out for a target of mail; add another target for another address');
  if (wanted.body.state === 'active' && state.reason === 'unconfirmed')
    return refused('/state', 'must be "disabled" until the address is confirmed by the code that was sent there');
  return undefined;
}

function refused(pointer: string, detail: string): ServiceError {
  return new ServiceError('schema_violation', 'the request is invalid', { errors: [{ pointer, detail }] });
}

function secretsAfter(
  deps: NotificationDeps,
  workspace: Workspace,
  found: StoredTarget | undefined,
  wanted: WantedChange,
): TargetSecrets {
  if (wanted.kind === 'created') return { url: wanted.body.url, keys: [{ key: wanted.key, until: null }] };
  if (wanted.kind === 'mail_created') return { url: `mailto:${wanted.body.address}`, keys: [], code: wanted.code };
  if (found === undefined || wanted.kind === 'removed') return { url: '', keys: [] };
  const before = openTarget(workspace, found.row);
  if (wanted.kind === 'confirmed') return { ...before, code: undefined };
  if (wanted.kind === 'own_changed') return before;
  if (wanted.kind === 'changed') return { ...before, url: wanted.body.url ?? before.url };
  const until = deps.clock.nowMicros() + wanted.overlapSeconds * 1_000_000;
  // One earlier secret at most: the header stays short, and an old secret cannot be kept alive by rotations.
  const earlier = wanted.overlapSeconds === 0 ? [] : before.keys.slice(0, 1).map(({ key }) => ({ key, until }));
  return { ...before, keys: [{ key: wanted.key, until: null }, ...earlier] };
}

function typesAfter(before: TargetRow | undefined, wanted: WantedChange): string | null {
  if (wanted.kind === 'own_changed') return formatTypes(wanted.body.event_types ?? null);
  const types = 'body' in wanted ? wanted.body.event_types : undefined;
  return types === undefined ? (before?.event_types_json ?? null) : formatTypes(types);
}

function formatTypes(types: readonly string[] | null): string | null {
  return types === null ? null : JSON.stringify([...new Set(types)].toSorted());
}

function stateAfter(wanted: WantedChange, found: StoredTarget | undefined): TargetChange['state'] {
  if (wanted.kind === 'created' || wanted.kind === 'confirmed') return { state: 'active', reason: null };
  if (wanted.kind === 'mail_created') return { state: 'disabled', reason: 'unconfirmed' };
  // Who asks for mails again is tried again; what a manager disabled, or the mail server refuses, stays as it is.
  if (wanted.kind === 'own_changed')
    return found?.state.reason === 'down' || found?.state.reason === 'owner_left'
      ? { state: 'active', reason: null }
      : undefined;
  if (wanted.kind !== 'changed' || wanted.body.state === undefined || wanted.body.state === found?.state.state)
    return undefined;
  return wanted.body.state === 'active'
    ? { state: 'active', reason: null }
    : { state: 'disabled', reason: 'by_manager' };
}
