import {
  REASON_CODE_HEADER,
  REASON_HEADER,
  REVEAL_REASON_MAX,
  type RevealRequest,
  revealRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import type { RouteRequest } from './route.ts';

/** The part of a request that says why texts are read. */
export type WithHeaders = Pick<RouteRequest<unknown, unknown, unknown>, 'header'>;

/**
 * Why the caller reads, as the headers of the request say; undefined where they say nothing. Throws `schema_violation`
 * for a code without words, and for what no reveal would accept.
 */
export function readingReasonOf(request: WithHeaders): RevealRequest | undefined {
  const code = request.header(REASON_CODE_HEADER.toLowerCase());
  const words = request.header(REASON_HEADER.toLowerCase());
  if (code === undefined && words === undefined) return undefined;
  const parsed = revealRequest.safeParse({ reason_code: code ?? 'other', reason: decode(words) });
  if (parsed.success) return parsed.data;
  const isCode = parsed.error.issues.every(({ path }) => path[0] === 'reason_code');
  throw isCode
    ? refusal('reason_code', `the header ${REASON_CODE_HEADER} must be one of ${CODES}`)
    : refusal(
        'reason',
        `the header ${REASON_HEADER} must have 1 to ${REVEAL_REASON_MAX} visible characters, percent-encoded as UTF-8`,
      );
}

const CODES = revealRequest.shape.reason_code.options.join(', ');

function decode(words: string | undefined): string | undefined {
  try {
    return words === undefined ? undefined : decodeURIComponent(words);
  } catch {
    return undefined;
  }
}

function refusal(name: string, detail: string): ServiceError {
  return new ServiceError('schema_violation', detail, { errors: [{ pointer: `/${name}`, detail }] });
}
