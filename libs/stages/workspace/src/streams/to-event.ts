import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import {
  type Actor,
  actor as actorSchema,
  type JsonObject,
  type JsonValue,
  STREAM_EVENT_FORMAT,
  type StreamEvent,
} from '@answer-evidence/contracts';
import { equalBytes, formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import type { StoredPlace, Workspace } from '@answer-evidence/ports';
import type { LeafRow } from '@answer-evidence/tables';
import { STREAMED_KINDS, type StreamedKind } from './entry-kinds.ts';

/** Of a list, an event holds so many items; `<name>_total` has their number where there are more. */
const LISTED_MAX = 100;
/** What a person wrote or chose as the reason of a reading. An event holds it only if the stream asks for it. */
const REASONS = ['reason_code', 'reason'] as const;

const TYPE = /^[a-z_]{1,32}$/;

type EventOptions = { readonly includeReasons: boolean };

/** The event of a place of the log: also of one that was altered, which it says. */
export function toEvent(workspace: Workspace, place: StoredPlace, { includeReasons }: EventOptions): StreamEvent {
  const { leafIndex, leaf, coreText } = place;
  const damage = findDamage(place);
  if (leaf === undefined || damage !== undefined)
    return {
      ...ofLeaf(workspace, leafIndex, leaf),
      sentence: `an entry of the log is damaged: ${damage ?? ''}`,
      damage: damage ?? null,
    };
  const core = parseJsonText(coreText ?? '') as JsonObject;
  const kind = STREAMED_KINDS[leaf.type];
  const members = [...(kind?.members ?? []), ...(includeReasons ? REASONS : [])];
  return {
    ...ofLeaf(workspace, leafIndex, leaf),
    actor: actorOf(core),
    sentence: sentenceOf(
      kind ?? { sentence: `an entry was added to the log: ${leaf.type.replaceAll('_', ' ')}` },
      core,
    ),
    about: Object.fromEntries(members.flatMap((name) => shownMembers(name, core[name]))),
  };
}

/** An event that is about no entry. */
export function testEvent(workspace: Workspace, id: string, nowMicros: number): StreamEvent {
  return {
    ...ofLeaf(workspace, null, undefined),
    type: 'test',
    id,
    time: formatTimestamp(nowMicros),
    sentence: 'this is a test; nothing happened',
  };
}

/** Compares what is stored with the hashes that the tree has. */
function findDamage({ leaf, coreText }: StoredPlace): string | undefined {
  if (leaf === undefined) return 'its row is missing';
  if (!equalBytes(leafHash(entryOf(leaf) ?? ''), leaf.leaf_hash)) return 'its row was altered';
  if (coreText === undefined) return 'what it is about is missing or not readable';
  return equalBytes(hashCoreText(leaf.type, coreText), leaf.hash) ? undefined : 'what it is about was altered';
}

function ofLeaf({ id, slug }: Workspace, leafIndex: number | null, leaf: LeafRow | undefined): StreamEvent {
  // The one column that an altered row may have any text in.
  const type = leaf !== undefined && TYPE.test(leaf.type) ? leaf.type : null;
  return {
    format: STREAM_EVENT_FORMAT,
    workspace_id: id,
    workspace: slug,
    leaf_index: leafIndex,
    type,
    id: leaf?.id ?? null,
    subject: leaf?.subject ?? null,
    time: leaf === undefined ? null : timeOf(leaf),
    actor: null,
    sentence: '',
    about: {},
    entry: leaf === undefined || type === null ? null : (entryOf(leaf) ?? null),
    leaf_hash: leaf === undefined ? null : formatHex(leaf.leaf_hash),
    damage: null,
  };
}

/** Undefined for a row of which no entry can be written. */
function entryOf(leaf: LeafRow): string | undefined {
  return timeOf(leaf) === null ? undefined : formatEntry(leaf);
}

function timeOf({ at }: LeafRow): string | null {
  try {
    return formatTimestamp(at);
  } catch {
    return null;
  }
}

function actorOf({ actor, created_by: createdBy, requested_by: requestedBy }: JsonObject): Actor | null {
  return actorSchema
    .nullable()
    .catch(null)
    .parse(actor ?? createdBy ?? requestedBy ?? null);
}

function sentenceOf({ sentence }: Pick<StreamedKind, 'sentence'>, { event_type: eventType }: JsonObject): string {
  return typeof eventType === 'string' ? `${sentence}: ${eventType.replaceAll('_', ' ')}` : sentence;
}

function shownMembers(name: string, value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length <= LISTED_MAX) return [[name, value]];
  return [
    [name, value.slice(0, LISTED_MAX)],
    [`${name}_total`, value.length],
  ];
}
