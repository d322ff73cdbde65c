import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WitnessDeps } from '../../deps.ts';

const logHash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be the SHA-256 of the log's origin as 64 hex digits")
  .toLowerCase();

/** `GET /{log}/checkpoint` (C2SP tlog-witness): the last cosigned note of the log, by its origin's SHA-256 in hex. */
export function getCheckpointRoute(deps: WitnessDeps): Route {
  const origins = new Map([...deps.logs.keys()].map((origin) => [formatHex(sha256(origin)), origin]));
  return defineRoute({
    method: 'GET',
    path: '/{log}/checkpoint',
    operationId: 'getCosignedCheckpoint',
    summary: 'Get the last cosigned checkpoint',
    access: 'public',
    params: z.strictObject({ log: logHash }),
    responses: {
      200: { description: 'The note, with the cosignature', contentType: 'text/plain' },
      404: { description: 'This witness has not cosigned a checkpoint of such a log' },
    },
    async handle({ params }) {
      const origin = origins.get(params.log);
      const kept = origin === undefined ? undefined : await deps.checkpoints.find(origin);
      if (kept === undefined)
        throw new ServiceError('not_found', 'no checkpoint of such a log was cosigned; check the origin in the path');
      return { status: 200, contentType: 'text/plain; charset=utf-8', body: kept.note };
    },
  });
}
