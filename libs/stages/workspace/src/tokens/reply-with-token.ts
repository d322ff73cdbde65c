import type { IssuedToken } from '@answer-evidence/contracts';
import type { RouteReply } from '@answer-evidence/routes';

/** The 201 of a token that was issued. */
export function replyWithToken(body: IssuedToken): RouteReply {
  return { status: 201, headers: { Location: `/api/tokens/${body.id}` }, body };
}
