import { type IssuedToken, issuedToken } from '@answer-evidence/contracts';
import type { OperationReply } from '@answer-evidence/contracts/operations';
import type { RouteReply } from '@answer-evidence/routes';

/** What a route that issues a token documents. */
export const ISSUED_TOKEN: OperationReply = {
  description: 'The new token; it is not shown again',
  schema: issuedToken,
  headers: { Location: 'Path of the token' },
};

/** The 201 of a token that was issued. */
export function replyWithToken(body: IssuedToken): RouteReply {
  return { status: 201, headers: { Location: `/api/tokens/${body.id}` }, body };
}
