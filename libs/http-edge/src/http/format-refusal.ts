import { maxHeaderSize, STATUS_CODES } from 'node:http';
import { type ProblemCode, SERVICE_VERSION, ServiceError } from '@answer-evidence/contracts';
import { planProblem } from './plan-problem.ts';

/** What Node's parser says is wrong, or the method that no handler sees; and what is sent for it. */
const REFUSALS: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'the whole request must be here earlier; send it in smaller parts']],
  [
    'HPE_HEADER_OVERFLOW',
    ['headers_too_large', `request line and headers may have at most ${maxHeaderSize} bytes together; shorten them`],
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ['body_too_large', 'the chunk extensions of the body are too long; leave them out'],
  ],
  ['CONNECT', ['connect_not_supported', 'this service is no proxy; send the request without one']],
]);
const NO_HTTP = ['malformed_request', 'what was sent is no HTTP/1.1 request; let an HTTP library write it'] as const;

/**
 * The whole reply to what is no HTTP, or came too slowly, and so never reached the handler. Nothing of it is logged, so
 * it has no request id.
 */
export function formatRefusal(code: string | undefined): string {
  const { problem } = planProblem(new ServiceError(...(REFUSALS.get(code) ?? NO_HTTP)), '', false);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `Service-Version: ${SERVICE_VERSION}`,
    'Content-Type: application/problem+json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
