import type { SavedView } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { StoredView } from '@answer-evidence/ports';

/** A shared view for the API. */
export function toViewResource({ id, name, filters, createdAt, createdBy }: StoredView): SavedView {
  return { id, name, filters, created_at: formatTimestamp(createdAt), created_by: createdBy };
}
