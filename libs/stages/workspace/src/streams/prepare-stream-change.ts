import {
  type Actor,
  type CreateStreamRequest,
  type PatchStreamRequest,
  ServiceError,
  type StreamCore,
  type StreamDestination,
  type StreamPlace,
  STREAMS_MAX,
} from '@answer-evidence/contracts';
import { createStreamCommand, type StreamChange } from '@answer-evidence/ledger';
import { newCoreIdentity, type StoredStream, type StoredStreams, type Workspace } from '@answer-evidence/ports';
import type { StreamRow } from '@answer-evidence/tables';
import type { StreamDeps } from './deps.ts';
import { openOrUndefined, sealDestination } from './seal-destination.ts';

/** What a manager wants of a stream. */
export type WantedChange =
  | { readonly kind: 'created'; readonly streamId: string; readonly body: CreateStreamRequest }
  | { readonly kind: 'changed'; readonly streamId: string; readonly body: PatchStreamRequest }
  | { readonly kind: 'removed'; readonly streamId: string };

type Known = { readonly workspace: Workspace; readonly stored: StoredStreams; readonly actor: Actor };

/** The change as it goes to the log, on top of the streams as they are now; or its refusal. */
export function prepareStreamChange(deps: StreamDeps, known: Known, wanted: WantedChange) {
  return createStreamCommand(known.workspace.id, known.stored.version, planChange(deps, known, wanted));
}

/** Which members of a stream a request changes. */
export function changedMembers(
  workspace: Workspace,
  { row, state }: StoredStream,
  body: PatchStreamRequest,
): StreamCore['changed'] {
  const { name, destination, format, include_reasons: includeReasons } = body;
  const isOther = (before: unknown, wanted: unknown) => wanted !== undefined && wanted !== before;
  return [
    ...(isOther(row.name, name) ? (['name'] as const) : []),
    ...(destination !== undefined && !isSame(destination, openOrUndefined(workspace, row))
      ? (['destination'] as const)
      : []),
    ...(isOther(row.format, format) ? (['format'] as const) : []),
    ...(isOther(row.include_reasons, includeReasons) ? (['include_reasons'] as const) : []),
    ...(isOther(state.state, body.state) ? (['state'] as const) : []),
  ];
}

/** That there is no such stream. */
export function noStream(): ServiceError {
  return new ServiceError('not_found', 'no such stream exists in this workspace; check its id');
}

/** Kind and place of a destination, without anything that may be a secret. */
export function placeOf(destination: StreamDestination): StreamPlace {
  const { type } = destination;
  switch (type) {
    case 'https':
      return { type, place: new URL(destination.url).origin };
    case 'syslog':
      return { type, place: `${destination.host}:${destination.port}` };
    case 's3':
      return { type, place: `${new URL(destination.url).origin}/${destination.bucket}` };
  }
}

function planChange(deps: StreamDeps, known: Known, wanted: WantedChange): StreamChange | ServiceError {
  const { workspace, stored, actor } = known;
  const found = stored.streams.find(({ row }) => row.id === wanted.streamId);
  if (wanted.kind !== 'created' && found === undefined) return noStream();
  const refusal = judge(stored, wanted);
  if (refusal !== undefined) return refusal;
  const before = found?.row;
  const body = wanted.kind === 'removed' ? {} : wanted.body;
  const identity = newCoreIdentity(deps);
  const { type: kind, place } =
    body.destination === undefined
      ? { type: before?.kind ?? 'https', place: before?.place ?? '' }
      : placeOf(body.destination);
  const row: StreamChange['row'] = {
    id: wanted.streamId,
    name: body.name ?? before?.name ?? '',
    kind,
    place,
    format: body.format ?? before?.format ?? 'ocsf',
    include_reasons: body.include_reasons ?? before?.include_reasons ?? false,
    ...sealedAfter(workspace, identity.id, before, wanted),
    created_at: before?.created_at ?? null,
    version: (before?.version ?? 0) + 1,
  };
  const state = stateAfter(found, wanted);
  const isAsBefore = found !== undefined && state === found.state.state;
  return {
    core: {
      ...identity,
      version: stored.version + 1,
      stream_id: row.id,
      name: row.name,
      destination: { type: kind, place },
      format: row.format,
      include_reasons: row.include_reasons,
      change: wanted.kind,
      changed: wanted.kind === 'changed' && found !== undefined ? changedMembers(workspace, found, wanted.body) : [],
      actor,
    },
    row,
    state,
    stateSince: isAsBefore ? found.state.changed_at : null,
    from: wanted.kind === 'created' ? wanted.body.from : 'now',
  };
}

function judge({ streams }: StoredStreams, wanted: WantedChange): ServiceError | undefined {
  const name = 'body' in wanted ? wanted.body.name : undefined;
  if (name !== undefined && streams.some(({ row }) => row.name === name && row.id !== wanted.streamId))
    return new ServiceError('name_taken', 'another stream has this name; choose a new one');
  if (wanted.kind === 'created' && streams.length >= STREAMS_MAX)
    return new ServiceError('limit_reached', `a workspace may have at most ${STREAMS_MAX} streams; remove unused ones`);
  return undefined;
}

function sealedAfter(workspace: Workspace, entryId: string, before: StreamRow | undefined, wanted: WantedChange) {
  const destination = 'body' in wanted ? wanted.body.destination : undefined;
  if (destination !== undefined) return sealDestination(workspace, entryId, wanted.streamId, destination);
  if (wanted.kind === 'changed' && before !== undefined)
    return { object_id: before.object_id, wrapped_key: before.wrapped_key, sealed: before.sealed };
  return { object_id: entryId, wrapped_key: new Uint8Array(), sealed: new Uint8Array() };
}

function stateAfter(found: StoredStream | undefined, wanted: WantedChange): StreamChange['state'] {
  if (wanted.kind === 'removed') return 'removed';
  const asked = wanted.kind === 'changed' ? wanted.body.state : 'active';
  return asked ?? found?.state.state ?? 'active';
}

/** Both come from the same schema, which writes members in one order. */
function isSame(one: StreamDestination, other: StreamDestination | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
