import type { TargetReason } from '@answer-evidence/contracts';
import type { NewNotification } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';

const WHY: Readonly<Partial<Record<TargetReason, string>>> = {
  gone: 'it responded that it is gone',
  owner_left: 'the member who added it is not a manager any more',
};

/** That a target was disabled, for all others. */
export function disabledNotification(row: TargetRow, reason: TargetReason, nowMicros: number): NewNotification {
  const gone = row.mail_json === null ? WHY.gone : 'the mail server refuses the address';
  const left = row.member_id === null ? WHY.owner_left : 'the member left, or may no longer sign in';
  const why =
    (reason === 'gone' ? gone : reason === 'owner_left' ? left : WHY[reason]) ?? 'no delivery succeeded for three days';
  return {
    type: 'target.disabled',
    subject: row.id,
    happenedAt: nowMicros,
    except: row.id,
    content: {
      sentence: `notifications no longer go to ${row.name}: ${why}`,
      place: '/notifications',
      entry_id: null,
      actor: null,
      about: { target_id: row.id, name: row.name, reason },
    },
  };
}

/** What a manager has a target sent, to see that it arrives. */
export function testNotification(row: TargetRow, nowMicros: number): NewNotification {
  return {
    type: 'test',
    subject: row.id,
    happenedAt: nowMicros,
    content: {
      sentence: 'this is a test; nothing happened',
      place: '/notifications',
      entry_id: null,
      actor: null,
      about: {},
    },
  };
}
