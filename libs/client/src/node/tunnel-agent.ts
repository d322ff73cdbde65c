import { type ClientRequestArgs, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent, type AgentOptions, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

const CONNECT_TIMEOUT_MS = 30_000;

/** Where a proxy is asked, with the name and password of its URL. */
export function addressProxy(proxy: URL): ClientRequestArgs & { readonly headers: Record<string, string> } {
  const { protocol, hostname, port, username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    protocol,
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    ...(port === '' ? {} : { port }),
    headers:
      credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}

/** Starts a request in the protocol of a proxy's own URL. */
export function requestOf(proxy: URL): typeof requestHttp {
  return proxy.protocol === 'https:' ? requestHttps : requestHttp;
}

/** Options of a request through a tunnel: the making of the tunnel ends with the signal, too. */
export type TunnelOptions = { readonly ending: AbortSignal };

/** Connections to `https` hosts through a proxy, which sees nothing but the name of the host (RFC 9110, 9.3.6). */
export class TunnelAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  /** Called by Node for each new connection. Only `done` tells of it, so nothing is returned. */
  override createConnection(
    options: ConnectionOptions & TunnelOptions,
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const name = options.host ?? '';
    const authority = `${name.includes(':') ? `[${name}]` : name}:${options.port ?? 443}`;
    const address = addressProxy(this.#proxy);
    const asked = requestOf(this.#proxy)({
      ...address,
      method: 'CONNECT',
      path: authority,
      headers: { ...address.headers, host: authority },
      agent: false,
      timeout: CONNECT_TIMEOUT_MS,
      signal: options.ending,
    });
    asked.on('timeout', () => asked.destroy(createFault('ETIMEDOUT', 'the proxy does not respond')));
    asked.on('error', done);
    asked.on('connect', ({ statusCode = 0 }: IncomingMessage, socket: Duplex) => {
      if (statusCode >= 200 && statusCode < 300) {
        asked.setTimeout(0);
        done(null, connectTls({ ...options, socket }));
        return;
      }
      socket.destroy();
      done(createFault(`proxy responded ${statusCode}`, 'the proxy opens no connection to the host'));
    });
    asked.end();
  }
}

function createFault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
