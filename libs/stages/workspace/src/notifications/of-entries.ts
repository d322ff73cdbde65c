import {
  actor,
  type ApprovalAct,
  approvalDecidedCore,
  approvalRequestedCore,
  epochCore,
  exportCore,
  hashKeyCore,
  holdPlacedCore,
  holdReleasedCore,
  type JsonObject,
  type LedgerKeyCore,
  ledgerKeyCore,
  memberCore,
  notificationTargetCore,
  type NotificationType,
  packExportCore,
  reconciliationCore,
  settingsCore,
  streamCore,
  sweepConfirmedCore,
  tokenRevokedCore,
  trustPolicyCore,
} from '@answer-evidence/contracts';
import type { NewNotification, NotedEntry } from '@answer-evidence/ports';

/** From so many readings of texts by one person within an hour on, it is a reading in bulk. */
const BULK_READINGS_MIN = 20;
const HOUR_SECONDS = 3_600;

/** What is told of an entry. Subject and sentence hold ids and words of the service, and names that people gave. */
type Told = {
  readonly type: NotificationType;
  readonly subject: string;
  readonly sentence: string;
  readonly place: string;
  readonly about: JsonObject;
  readonly onceWithinMicros?: number;
};

/** The notifications that an entry of the log is reason for. A core that this version cannot read is none. */
export function notificationsOf(entry: NotedEntry): readonly NewNotification[] {
  const told = entry.event === undefined ? ofWorkspace(entry) : ofEvent(entry, entry.event);
  if (told === undefined) return [];
  const { type, subject, sentence, place, about, onceWithinMicros } = told;
  const by = entry.event?.actor ?? entry.core?.actor ?? entry.core?.requested_by ?? null;
  const content = { sentence, place, entry_id: entry.id, actor: by, about };
  const once = onceWithinMicros === undefined ? {} : { onceWithinMicros };
  return [{ type, subject, happenedAt: entry.at, isOfEntry: true, content, ...once }];
}

function ofEvent({ id }: NotedEntry, event: NonNullable<NotedEntry['event']>): Told | undefined {
  const { recordId, type, applicationKey } = event;
  if (type !== 'voided' && type !== 'redacted') return undefined;
  return {
    type: type === 'voided' ? 'record.voided' : 'record.redacted',
    subject: recordId,
    sentence: `a record of ${applicationKey} was ${type}`,
    place: `/records/${recordId}`,
    about: { answer_log_id: recordId, event_id: id, event_type: type, application_key: applicationKey },
  };
}

type Reader = (core: JsonObject, entry: NotedEntry) => Told | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  reconciliation_completed(core) {
    const { run_id: runId, application_key: application, findings } = reconciliationCore.parse(core);
    if (findings.size === 0) return undefined;
    return {
      type: 'run.findings',
      subject: runId,
      sentence: `a reconciliation of ${application} has ${counted(findings.size, 'finding')}`,
      place: `/reconciliation/${runId}`,
      about: { run_id: runId, application_key: application, findings: findings.size },
    };
  },
  hold_placed(core) {
    const { id, matter } = holdPlacedCore.parse(core);
    return ofHold('hold.placed', id, matter, 'records were put on hold');
  },
  hold_released(core) {
    const { hold_id: id, matter } = holdReleasedCore.parse(core);
    return ofHold('hold.released', id, matter, 'a hold was released');
  },
  approval_requested(core) {
    const { id, act } = approvalRequestedCore.parse(core);
    return ofApproval('approval.requested', id, `a second person is asked for ${ACT_WORDS[act]}`, {
      approval_id: id,
      act,
    });
  },
  approval_decided(core) {
    const { approval_id: id, act, decision } = approvalDecidedCore.parse(core);
    const sentence =
      id === null
        ? `one person alone did what needs two: ${ACT_WORDS[act]}`
        : `the request of a second person for ${ACT_WORDS[act]}: ${decision}`;
    return ofApproval('approval.decided', id ?? `alone ${act}`, sentence, { approval_id: id, act, decision });
  },
  export_made(core) {
    const pack = packExportCore.safeParse(core);
    const { id, format, records } = pack.success ? pack.data : exportCore.parse(core);
    return {
      type: 'export.made',
      subject: id,
      sentence: `${counted(records, 'record')} left as ${format}`,
      place: '/log',
      about: { format, records },
    };
  },
  texts_revealed(core, { readings: within = 0 }) {
    // One entry may be of many records; others of the hour count as one record each.
    const { answer_log_ids: ids } = core;
    const readings = Math.max(within, Array.isArray(ids) ? ids.length : 0);
    if (readings < BULK_READINGS_MIN) return undefined;
    return {
      type: 'texts.read_in_bulk',
      subject: actor.parse(core.actor).id,
      sentence: `one person read the texts of ${counted(readings, 'record')} within an hour`,
      place: '/log',
      about: { readings, within_seconds: HOUR_SECONDS },
      onceWithinMicros: HOUR_SECONDS * 1_000_000,
    };
  },
  settings_changed: (core) => ofVersion('settings.changed', 'settings', '/settings', settingsCore.parse(core)),
  trust_policy_changed: (core) => ofVersion('policy.changed', 'trust policy', '/trust', trustPolicyCore.parse(core)),
  member_changed(core) {
    const { member_id: memberId, username, role, changes } = memberCore.parse(core);
    return {
      type: 'member.changed',
      subject: memberId,
      sentence: `the member ${username} was changed: ${changes.join(', ').replaceAll('_', ' ')}`,
      place: '/members',
      about: { member_id: memberId, username, role, changes },
    };
  },
  token_revoked(core) {
    const { token_id: tokenId } = tokenRevokedCore.parse(core);
    return {
      type: 'token.revoked',
      subject: tokenId,
      sentence: 'a token was revoked',
      place: '/tokens',
      about: { token_id: tokenId },
    };
  },
  ledger_key_changed: (core) => ofKey('ledger', ledgerKeyCore.parse(core)),
  hash_key_changed: (core) => ofKey('hash', hashKeyCore.parse(core)),
  epoch_opened(core) {
    const { id, continued } = epochCore.parse(core);
    return {
      type: 'log.continued',
      subject: 'log',
      sentence: 'the log continues under another name: entries that were signed before are lost',
      place: '/trust',
      about: { tree_size: continued.tree_size, log_id: id },
    };
  },
  sweep_confirmed(core) {
    sweepConfirmedCore.parse(core);
    return {
      type: 'sweep.confirmed',
      subject: 'sweep',
      sentence: 'an operator confirmed what sweeps had held back',
      place: '/log',
      about: {},
    };
  },
  notification_target_changed(core) {
    const { target_id: targetId, name, change } = notificationTargetCore.parse(core);
    return {
      type: 'target.changed',
      subject: targetId,
      sentence: `the target ${name} of notifications: ${change.replaceAll('_', ' ')}`,
      place: '/notifications',
      about: { target_id: targetId, name, change },
    };
  },
  stream_changed(core) {
    const { stream_id: streamId, name, change } = streamCore.parse(core);
    return {
      type: 'stream.changed',
      subject: streamId,
      sentence: `the stream ${name} of entries: ${change}`,
      place: '/streams',
      about: { stream_id: streamId, name, change },
    };
  },
};

function ofWorkspace(entry: NotedEntry): Told | undefined {
  const read = READERS[entry.type];
  if (read === undefined || entry.core === undefined) return undefined;
  try {
    return read(entry.core, entry);
  } catch {
    // Written by a newer version, or damaged: the ledger check says which. Others must not wait for it.
    return undefined;
  }
}

function ofHold(type: 'hold.placed' | 'hold.released', id: string, matter: string, what: string): Told {
  return {
    type,
    subject: id,
    sentence: `${what} for the matter ${matter}`,
    place: `/holds/${id}`,
    about: { hold_id: id, matter },
  };
}

const ACT_WORDS: Readonly<Record<ApprovalAct, string>> = {
  void: 'the void of a record',
  redaction: 'the redaction of a record',
  settings: 'a change of the settings',
  trust_policy: 'a change of the trust policy',
  members: 'a change of a member',
  hold_placing: 'the placing of a hold',
  hold_release: 'the release of a hold',
  export: 'an export of records',
};

function ofApproval(
  type: 'approval.requested' | 'approval.decided',
  subject: string,
  sentence: string,
  about: JsonObject,
): Told {
  return { type, subject, sentence, place: '/approvals', about };
}

function ofVersion(
  type: 'settings.changed' | 'policy.changed',
  noun: string,
  place: string,
  { version }: { readonly version: number },
): Told {
  return {
    type,
    subject: noun,
    sentence: `the ${noun} changed; version ${version} is in force`,
    place,
    about: { version },
  };
}

function ofKey(key: 'ledger' | 'hash', { change }: { readonly change: LedgerKeyCore['change'] | 'created' }): Told {
  return {
    type: 'keys.changed',
    subject: `${key} keys`,
    sentence: `a ${key} key was ${change}`,
    place: key === 'ledger' ? '/trust' : '/settings',
    about: { key, change },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
