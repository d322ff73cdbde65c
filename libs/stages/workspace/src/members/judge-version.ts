import { ServiceError } from '@answer-evidence/contracts';
import type { VersionJudge } from '@answer-evidence/ledger';
import { isMatch } from '@answer-evidence/routes';
import { formatMemberTag } from './to-member-resource.ts';

/** Refuses a change whose If-Match (RFC 9110 section 13.1.1) or `version` names another version than this. */
export function createVersionJudge(ifMatch: string | undefined, version: number | undefined): VersionJudge {
  return (current) => {
    if (!isMatch(ifMatch, formatMemberTag(current)))
      return new ServiceError('precondition_failed', 'the member has changed; read the list again');
    if (version !== undefined && version !== current)
      return new ServiceError('version_conflict', 'the member has changed; read the list again', {
        errors: [{ pointer: '/version', detail: `must be the current version, ${current}` }],
      });
    return undefined;
  };
}
