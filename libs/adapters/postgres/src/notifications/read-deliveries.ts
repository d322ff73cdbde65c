import type { DueDelivery } from '@answer-evidence/ports';
import { DELIVERIES, type DeliveryRow, type NotificationRow, NOTIFICATIONS } from '@answer-evidence/tables';
import { aliased, type JoinedRow, pick } from '../rows/rows.ts';
import type { Query } from '../session.ts';
import { DUE_MICROS_MAX } from './tell-targets.ts';

const COLUMNS = `${aliased('d', DELIVERIES)}, ${aliased('n', NOTIFICATIONS)}`;
const TOLD = `answer_evidence.notification_deliveries d
  join answer_evidence.notifications n on n.workspace_id = $1 and n.id = d.notification_id
  where d.workspace_id = $1 and d.target_id = $2`;

/** Those that may go: nothing of the same subject waits before them. */
export const IN_TURN = `d.state = 'pending' and not exists (
  select from answer_evidence.notification_deliveries b where b.workspace_id = $1 and b.target_id = $2
    and b.subject = d.subject and b.state = 'pending' and b.position < d.position)`;

/** The first delivery that is due. */
export async function readNextDue(
  query: Query,
  workspaceId: string,
  targetId: string,
  nowMicros: number,
): Promise<DueDelivery | undefined> {
  const [row] = await query<JoinedRow>(
    'notification_next_due',
    `select ${COLUMNS} from ${TOLD} and (d.due_at <= $3 or d.due_at > $4) and ${IN_TURN} order by d.position limit 1`,
    [workspaceId, targetId, nowMicros, nowMicros + DUE_MICROS_MAX],
  );
  return row === undefined ? undefined : toDelivery(row);
}

/** All that is due, in order. */
export async function readAllDue(
  query: Query,
  workspaceId: string,
  targetId: string,
  nowMicros: number,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const rows = await query<JoinedRow>(
    'notification_all_due',
    `select ${COLUMNS} from ${TOLD} and d.state = 'pending' and (d.due_at <= $3 or d.due_at > $4)
       order by d.position limit $5`,
    [workspaceId, targetId, nowMicros, nowMicros + DUE_MICROS_MAX, limit],
  );
  return rows.map(toDelivery);
}

/** One delivery. */
export async function findDelivery(
  query: Query,
  workspaceId: string,
  targetId: string,
  notificationId: string,
): Promise<DueDelivery | undefined> {
  const [row] = await query<JoinedRow>(
    'notification_delivery',
    `select ${COLUMNS} from ${TOLD} and d.notification_id = $3`,
    [workspaceId, targetId, notificationId],
  );
  return row === undefined ? undefined : toDelivery(row);
}

/** A piece of the deliveries of a target, newest first. */
export async function readDeliveries(
  query: Query,
  values: readonly [
    workspaceId: string,
    targetId: string,
    state: DeliveryRow['state'] | null,
    before: number | null,
    limit: number,
    offset: number,
  ],
): Promise<readonly DueDelivery[]> {
  const rows = await query<JoinedRow>(
    'notification_deliveries',
    `select ${COLUMNS} from ${TOLD} and ($3::text is null or d.state = $3) and ($4::bigint is null or d.position < $4)
       order by d.position desc limit $5 offset $6`,
    values,
  );
  return rows.map(toDelivery);
}

function toDelivery(row: JoinedRow): DueDelivery {
  return {
    delivery: pick<DeliveryRow>(row, 'd', DELIVERIES),
    notification: pick<NotificationRow>(row, 'n', NOTIFICATIONS),
  };
}
