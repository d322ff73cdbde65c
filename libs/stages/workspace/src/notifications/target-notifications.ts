import type { DeliveryOutcome, NewNotification } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';

/** That a target was disabled, for all others. */
export function disabledNotification(row: TargetRow, outcome: DeliveryOutcome, nowMicros: number): NewNotification {
  const reason = outcome.kind === 'failed' ? (outcome.disabledFor ?? 'down') : 'down';
  const why = reason === 'gone' ? 'it responded that it is gone' : 'no delivery succeeded for three days';
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
