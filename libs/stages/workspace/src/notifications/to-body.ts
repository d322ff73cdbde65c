import { type NotificationBody, notificationBody } from '@answer-evidence/contracts';
import { formatTimestamp, JsonError, parseJsonText } from '@answer-evidence/encoding';
import { StoredDamageError, type Workspace } from '@answer-evidence/ports';
import type { NotificationRow } from '@answer-evidence/tables';

/** What every attempt at a notification sends. Throws `StoredDamageError` where the row is none that was written. */
export function toBody(workspace: Workspace, row: NotificationRow): NotificationBody {
  const body = notificationBody.safeParse({
    type: row.type,
    timestamp: formatTimestamp(row.happened_at),
    data: {
      workspace_id: workspace.id,
      workspace: workspace.slug,
      subject: row.subject,
      ...readContent(row),
    },
  });
  if (!body.success) throw damaged(row);
  return body.data;
}

function readContent({ content_json: text, ...row }: NotificationRow): object {
  try {
    return Object(parseJsonText(text)) as object;
  } catch (error) {
    if (error instanceof JsonError) throw damaged(row);
    throw error;
  }
}

function damaged({ id }: { readonly id: string }): StoredDamageError {
  return new StoredDamageError(`the notification ${id} is not as it was written`);
}
