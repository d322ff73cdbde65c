import type { IncomingMessage } from 'node:http';
import type { ByteBudget, Route } from '@answer-evidence/routes';
import type { RequestLimits } from '../rate-limits/request-limits.ts';
import type { Exchange } from './exchange.ts';
import { bodyBytesMaxOf } from './parse-input.ts';
import { type BodyRoom, UNCOUNTED_BYTES } from './read-body.ts';
import { takesForm } from './serve-upload.ts';

type RoomEdge = { readonly limits: RequestLimits; readonly bodies: ByteBudget };

const SMALL: BodyRoom = { lease: undefined, charge: undefined };

/**
 * The room for the body of a request, in the share of the caller's workspace. Throws `rate_limited` where the caller
 * has not paid yet for earlier large bodies. Forms are not held whole, and their bytes count to nobody.
 */
export function openBodyRoom(edge: RoomEdge, route: Route, exchange: Exchange, req: IncomingMessage): BodyRoom {
  if (bodyBytesMaxOf(route) <= UNCOUNTED_BYTES) return SMALL;
  const { caller } = exchange;
  const lease = (route.bodyBudget ?? edge.bodies).open(caller?.workspaceId ?? '');
  if (caller === null || takesForm(route, req)) return { lease, charge: undefined };
  const announced = req.headers['content-length'];
  const sizeBytes = announced === undefined ? 0 : Number(announced);
  if (announced === undefined || sizeBytes > UNCOUNTED_BYTES) edge.limits.countBody(caller, sizeBytes, exchange);
  return { lease, charge: announced === undefined ? (bytes) => edge.limits.countBytes(caller, bytes) : undefined };
}
