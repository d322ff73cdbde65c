import { rawBody } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import {
  formatSize,
  parseAddCheckpoint,
  type ReadAddCheckpoint,
  SIZE_CONTENT_TYPE,
  WitnessError,
} from '@answer-evidence/witness';
import { cosign } from '../../cosign.ts';
import type { WitnessDeps } from '../../deps.ts';

const TEXT = 'text/plain; charset=utf-8';

/** Largest request: a note with a hundred signatures, some of them post-quantum, and a proof. */
const BODY_BYTES_MAX = 256 * 1024;

/** `POST /add-checkpoint` (C2SP tlog-witness): a cosignature for a checkpoint that extends the one cosigned last. */
export function addCheckpointRoute(deps: WitnessDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/add-checkpoint',
    operationId: 'addCheckpoint',
    summary: 'Ask for a cosignature (C2SP tlog-witness)',
    access: 'public',
    bodyFormat: 'bytes',
    body: rawBody,
    bodyBytesMax: BODY_BYTES_MAX,
    responses: {
      200: { description: 'Signature lines of this witness', contentType: 'text/plain' },
      400: {
        description: 'Not a request of the protocol, or its old size exceeds its checkpoint',
        contentType: 'text/plain',
      },
      403: { description: 'No trusted key of the log signed it', contentType: 'text/plain' },
      404: { description: 'This witness does not know the log', contentType: 'text/plain' },
      409: { description: 'The last cosigned size differs: the body has it', contentType: SIZE_CONTENT_TYPE },
      422: { description: 'The checkpoint does not extend the last cosigned one', contentType: 'text/plain' },
    },
    async handle({ body }) {
      let request: ReadAddCheckpoint;
      try {
        request = parseAddCheckpoint(decodeText(body));
      } catch (error) {
        if (error instanceof WitnessError) return say(400, error.reason);
        throw error;
      }
      const outcome = await cosign(deps, request);
      switch (outcome.kind) {
        case 'cosigned':
          return { status: 200, contentType: TEXT, body: outcome.lines };
        case 'conflict':
          return { status: 409, contentType: SIZE_CONTENT_TYPE, body: formatSize(outcome.size) };
        case 'refused':
          return say(outcome.status, outcome.reason);
      }
    },
  });
}

function say(status: number, reason: string): RouteReply {
  return { status, contentType: TEXT, body: `${reason}\n` };
}

/** Strictly: a byte that was replaced while decoding would be signed as something that nobody sent. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WitnessError('the request is not UTF-8');
  }
}
