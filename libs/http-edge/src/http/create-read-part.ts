import type { Route } from '@answer-evidence/routes';
import type { ClientRequest } from '../rate-limits/client-address.ts';
import type { RequestLimits } from '../rate-limits/request-limits.ts';
import { headerOf } from './edge-request.ts';
import type { Exchange } from './exchange.ts';
import { UNCOUNTED_BYTES } from './read-body.ts';
import { type BodyReaders, readBodyPart, type ReadPart } from './read-body-part.ts';

type PartEdge = { readonly limits: RequestLimits; readonly readers?: BodyReaders | undefined };

/** Reads the parts of a request: large ones elsewhere, and for what they cost there their caller pays. */
export function createReadPart(
  { readers, limits }: PartEdge,
  route: Route,
  exchange: Exchange,
  req: ClientRequest,
): ReadPart {
  return (bytes, name) => {
    const part = { operationId: route.operationId, name, contentType: headerOf(req, 'content-type') };
    const key = exchange.caller?.tokenId;
    if (readers === undefined || key === undefined || bytes === undefined || bytes.byteLength <= UNCOUNTED_BYTES)
      return readBodyPart(route, bytes, part);
    return readers.read(key, bytes, part, (ms) => limits.countWork(key, ms));
  };
}
