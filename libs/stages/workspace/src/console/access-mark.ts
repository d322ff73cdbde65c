import type { AccessColumns } from '@answer-evidence/ledger';

/** What a session remembers of what its member could do at signing in: another one ends the session. */
export function accessMark({ role, access_json: json }: AccessColumns): string {
  return json ?? role;
}
