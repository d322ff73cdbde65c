import type { Approval } from '@answer-evidence/contracts';

/** What an approved request for an export is to its reader: theirs to make, or not, and why. */
export type ExportFate = 'yours' | 'theirs' | 'used' | 'overdue';

type Asked = Pick<Approval, 'state' | 'used' | 'expires_at' | 'requested_by'>;

/** What became of an approved request for an export at a time in milliseconds; undefined for every other request. */
export function exportFate(one: Asked, readerId: string, nowMs: number): ExportFate | undefined {
  if (one.state !== 'approved' || one.used === null) return undefined;
  if (one.used) return 'used';
  if (Date.parse(one.expires_at) <= nowMs) return 'overdue';
  return one.requested_by.id === readerId ? 'yours' : 'theirs';
}
