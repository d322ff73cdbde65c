import type { Caller } from '@answer-evidence/access';
import type { Route } from '@answer-evidence/routes';
import type { ClientRequest } from '../rate-limits/client-address.ts';
import type { RequestLimits } from '../rate-limits/request-limits.ts';
import { headerOf } from './edge-request.ts';
import { processorMs } from './processor-ms.ts';
import { UNCOUNTED_BYTES } from './read-body.ts';
import { type BodyPart, type BodyReaders, readBodyPart, type ReadPart } from './read-body-part.ts';

type PartEdge = { readonly limits: RequestLimits; readonly readers?: BodyReaders | undefined };

/** Smaller bodies cost less than it takes to find out what they cost; how many may come is bounded. */
const UNMEASURED_BYTES = 1_024;

/**
 * Reads the parts of a request: large ones elsewhere, until `whenOver` says that nobody waits any more. The caller pays
 * for the time of the processor, whichever thread it was.
 */
export function createReadPart(
  { readers, limits }: PartEdge,
  route: Route,
  caller: Caller | null,
  req: ClientRequest,
  whenOver: () => AbortSignal,
): ReadPart {
  return (bytes, name) => {
    const part = { operationId: route.operationId, name, contentType: headerOf(req, 'content-type') };
    if (caller === null || bytes === undefined || bytes.byteLength <= UNMEASURED_BYTES)
      return readBodyPart(route, bytes, part);
    const { tokenId, workspaceId } = caller;
    if (readers === undefined || bytes.byteLength <= UNCOUNTED_BYTES)
      return readHere(route, bytes, part, (ms) => limits.countWorkHere(caller, ms));
    const task = { workspaceId, tokenId, over: whenOver(), onWork: (ms: number) => limits.countWork(caller, ms) };
    if (route.digestGiven === undefined) return readers.read(task, bytes, part);
    return route.digestGiven(workspaceId).then((given) => readers.read(task, bytes, { ...part, given }));
  };
}

function readHere(
  route: Route,
  bytes: Uint8Array,
  part: Omit<BodyPart, 'operationId'>,
  onWork: (ms: number) => void,
): unknown {
  const beganMs = processorMs();
  try {
    return readBodyPart(route, bytes, part);
  } finally {
    onWork(processorMs() - beganMs);
  }
}
