import type { EntryType, JsonObject, MemberChange, StreamEvent } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { type Activity, STREAMED_KINDS } from './entry-kinds.ts';

/** The version of the Open Cybersecurity Schema Framework that events follow. */
const OCSF_VERSION = '1.8.0';

const CATEGORY = { category_uid: 3, category_name: 'Identity & Access Management' } as const;
const ENTITY_MANAGEMENT = { class_uid: 3004, class_name: 'Entity Management' } as const;
const ACCOUNT_CHANGE = { class_uid: 3001, class_name: 'Account Change' } as const;

type OcsfActivity = readonly [id: number, name: string];
const UNKNOWN: OcsfActivity = [0, 'Unknown'];
const ACTIVITIES: Readonly<Record<Activity, OcsfActivity>> = {
  create: [1, 'Create'],
  read: [2, 'Read'],
  update: [3, 'Update'],
  delete: [4, 'Delete'],
};
/** What happened to a member, where the schema has a word for it. */
const ACCOUNT_ACTIVITIES: Readonly<Partial<Record<MemberChange, OcsfActivity>>> = {
  added: [1, 'Create'],
  enabled: [2, 'Enable'],
  password_set: [3, 'Password Change'],
  password_link_issued: [4, 'Password Reset'],
  disabled: [5, 'Disable'],
  removed: [6, 'Delete'],
};
const ACCOUNT_OTHER: OcsfActivity = [99, 'Other'];
const [USER_TYPE, ADMIN_TYPE, SERVICE_TYPE, OTHER_ENTITY] = [1, 2, 4, 99];

/** A class of the schema with what only its events have. */
type Classified = {
  readonly of: typeof ENTITY_MANAGEMENT | typeof ACCOUNT_CHANGE;
  readonly activity: OcsfActivity;
  readonly own: JsonObject;
};

/**
 * The event as OCSF has it. What the schema has no place for is under `unmapped`. `nowMicros` is the time of an event
 * without one.
 */
export function toOcsf(event: StreamEvent, nowMicros: number): JsonObject {
  const { of, activity, own } = classify(event);
  const isDamaged = event.damage !== null;
  const { about } = event;
  return {
    ...CATEGORY,
    ...of,
    activity_id: activity[0],
    activity_name: activity[1],
    type_uid: of.class_uid * 100 + activity[0],
    type_name: `${of.class_name}: ${activity[1]}`,
    ...(isDamaged
      ? { severity_id: 4, severity: 'High', status_id: 0, status: 'Unknown', status_detail: event.damage }
      : { severity_id: 1, severity: 'Informational', status_id: 1, status: 'Success' }),
    time: Math.floor((event.time === null ? nowMicros : parseTimestamp(event.time)) / 1000),
    message: event.sentence,
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Answer Evidence Service', vendor_name: 'Answer Evidence Service' },
      tenant_uid: event.workspace_id,
      log_name: event.workspace,
      ...(event.id === null ? {} : { uid: event.id }),
      ...(event.type === null ? {} : { event_code: event.type }),
      ...(event.leaf_index === null ? {} : { sequence: event.leaf_index }),
    },
    actor: describeActor(event),
    ...(typeof about['reason'] === 'string' && of === ENTITY_MANAGEMENT ? { comment: about['reason'] } : {}),
    ...own,
    ...(event.entry === null ? {} : { raw_data: event.entry }),
    unmapped: { leaf_index: event.leaf_index, leaf_hash: event.leaf_hash, damage: event.damage, about },
  };
}

function classify(event: StreamEvent): Classified {
  const { type, about, subject, id } = event;
  const kind = STREAMED_KINDS[type as EntryType];
  if (kind === undefined || event.damage !== null)
    return {
      of: ENTITY_MANAGEMENT,
      activity: UNKNOWN,
      own: { entity: entityOf(kind?.entity ?? 'entry of the log', subject ?? id ?? event.workspace_id) },
    };
  if (type === 'member_changed') return classifyMember(about);
  const named = kind.idMember === undefined ? subject : about[kind.idMember];
  return {
    of: ENTITY_MANAGEMENT,
    activity: about['event_type'] === 'redacted' ? ACTIVITIES.delete : activityOf(kind.activity, about['change']),
    own: { entity: entityOf(kind.entity, typeof named === 'string' ? named : (subject ?? event.workspace_id)) },
  };
}

/** Where one type of entry says several things, its core says which. */
function activityOf(usual: Activity, change: unknown): OcsfActivity {
  if (change === 'created') return ACTIVITIES.create;
  return change === 'removed' ? ACTIVITIES.delete : ACTIVITIES[usual];
}

function classifyMember({ member_id: uid, username: name, role, changes }: JsonObject): Classified {
  const all = (Array.isArray(changes) ? changes : []) as readonly MemberChange[];
  const activity = all.map((change) => ACCOUNT_ACTIVITIES[change]).find((known) => known !== undefined);
  const isAdmin = role === 'manager';
  return {
    of: ACCOUNT_CHANGE,
    activity: activity ?? ACCOUNT_OTHER,
    own: {
      user: {
        uid: uid ?? null,
        name: name ?? null,
        type_id: isAdmin ? ADMIN_TYPE : USER_TYPE,
        type: isAdmin ? 'Admin' : 'User',
      },
    },
  };
}

function entityOf(type: string, uid: string): JsonObject {
  return { uid, type, type_id: OTHER_ENTITY };
}

function describeActor({ actor }: StreamEvent): JsonObject {
  if (actor === null) return { app_name: 'answer-evidence' };
  if (actor.kind === 'user') return { user: { uid: actor.id, type_id: USER_TYPE, type: 'User' } };
  if (actor.kind === 'service') return { app_name: actor.id };
  return {
    app_name: actor.id,
    user: { uid: actor.id, type_id: SERVICE_TYPE, type: 'Service' },
  };
}
