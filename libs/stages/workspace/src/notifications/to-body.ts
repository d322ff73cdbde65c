import { type NotificationBody, notificationBody } from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { NotificationRow } from '@answer-evidence/tables';

/** What every attempt at a notification sends. */
export function toBody(workspace: Workspace, row: NotificationRow): NotificationBody {
  return notificationBody.parse({
    type: row.type,
    timestamp: formatTimestamp(row.happened_at),
    data: {
      workspace_id: workspace.id,
      workspace: workspace.slug,
      subject: row.subject,
      ...(parseJsonText(row.content_json) as object),
    },
  });
}
