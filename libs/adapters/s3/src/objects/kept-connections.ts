import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import { type Transport, withBearer } from '../create-client.ts';

/** Connections of one process to the store: what the minio client speaks through. */
export type KeptConnections = {
  readonly client: Transport;
  /** How far the clock of the store is ahead of ours, as the header `Date` of its last reply said. */
  skewMs(): number | undefined;
  close(): void;
};

/** Most connections at once; more requests wait for one. */
const CONNECTIONS_MAX = 64;

/**
 * Keep-alive connections, closed if the store sends no byte for `silenceMs`; the client itself would wait for ever.
 * While received bytes wait for a slow reader, the store does not count as silent.
 */
export function keepConnections(isSecure: boolean, silenceMs: number): KeptConnections {
  const pool = { keepAlive: true, maxSockets: CONNECTIONS_MAX, scheduling: 'lifo' } as const;
  const agent = isSecure ? new HttpsAgent(pool) : new HttpAgent(pool);
  let skewMs: number | undefined;
  function request(options: RequestOptions, respond: (response: IncomingMessage) => void): ClientRequest {
    let answer: IncomingMessage | undefined;
    const headers = withBearer((options.headers ?? {}) as OutgoingHttpHeaders) as OutgoingHttpHeaders;
    const made = (isSecure ? requestHttps : requestHttp)({ ...options, headers, agent }, (response) => {
      answer = response;
      const date = Date.parse(response.headers.date ?? '');
      // The header has whole seconds.
      if (!Number.isNaN(date)) skewMs = date + 500 - Date.now();
      respond(response);
    });
    return made.setTimeout(silenceMs).on('timeout', () => {
      // The socket tells of one silence once; it is asked to tell of the next.
      if (answer !== undefined && answer.readableLength > 0) made.setTimeout(silenceMs);
      else made.destroy(Object.assign(new Error('the store does not respond'), { code: 'ETIMEDOUT' }));
    });
  }
  return {
    // The client calls this form only.
    client: { request } as Transport,
    skewMs: () => skewMs,
    close: () => agent.destroy(),
  };
}
