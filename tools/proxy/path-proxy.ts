import { randomUUID } from 'node:crypto';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatUnreachable } from './format-proxies.ts';
import { findRole, type RoutingTable, SPLIT_ROLES, type SplitRole } from './routing-table.ts';
import { watchInstances } from './watch-instances.ts';

/** A proxy of one host. */
type PathProxy = { readonly url: string; close(): Promise<void> };

/** Headers that belong to one connection, and not to the request. */
const OF_A_CONNECTION = ['connection', 'keep-alive', 'upgrade', 'te', 'trailer'];

/**
 * A proxy for development and tests that does what the generated configurations do: each path goes to its role, the
 * instances of a role take turns, one that hangs or refuses the connection is passed over, and a role without any is
 * a 503 to be repeated. A request that has begun is never sent twice. Port 0 takes a free one.
 */
export async function openPathProxy(options: {
  readonly table: RoutingTable;
  readonly port: number;
  /** `http://host:port` of each process of a role, as it is now. */
  readonly instancesOf: (role: SplitRole) => readonly string[];
}): Promise<PathProxy> {
  const agent = new Agent({ keepAlive: true });
  const watch = watchInstances(() =>
    SPLIT_ROLES.map((role) => options.instancesOf(role)).flatMap((instances) =>
      instances.length > 1 ? instances : [],
    ),
  );
  let turn = 0;
  const server = createServer((incoming, reply) => {
    const [path = '/'] = (incoming.url ?? '/').split('?');
    const instances = options.instancesOf(findRole(options.table, path));
    const first = turn++ % Math.max(1, instances.length);
    const inTurn = [...instances.slice(first), ...instances.slice(0, first)];
    const { hung = [], alive = [] } = Object.groupBy(inTurn, (one) => (watch.isHung(one) ? 'hung' : 'alive'));
    forward(incoming, reply, [...alive, ...hung], agent);
  });
  // Uploads and checks of large ledgers take longer than Node allows by itself.
  server.requestTimeout = 0;
  // As nginx does: the caller closes an idle connection first, and never sends a request on one that is being closed.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      watch.close();
      agent.destroy();
      await closed;
    },
  };
}

function forward(incoming: IncomingMessage, reply: ServerResponse, instances: readonly string[], agent: Agent): void {
  const [instance, ...others] = instances;
  if (instance === undefined) return refuse(reply);
  const outgoing = request(instance, optionsOf(incoming, agent));
  let hasBegun = false;
  const begin = (): void => {
    hasBegun = true;
    incoming.pipe(outgoing);
  };
  // Nothing of the body is read before there is a connection, so that another instance can still have all of it.
  outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', begin) : begin()));
  outgoing.once('response', (response) => {
    reply.writeHead(response.statusCode ?? 502, withoutHops(response.headers));
    response.pipe(reply);
    response.once('error', () => reply.destroy());
  });
  outgoing.on('error', () => {
    if (reply.writableEnded) drain(incoming);
    else if (reply.headersSent) reply.destroy();
    else if (hasBegun) {
      refuse(reply);
      drain(incoming);
    } else forward(incoming, reply, others, agent);
  });
  reply.once('close', () => {
    if (reply.writableFinished && incoming.complete) return;
    outgoing.destroy();
    // It was answered while it was sent: the caller's next request is behind the rest of this one.
    if (reply.writableFinished) drain(incoming);
  });
}

/** Reads what is left of a body that nobody wants, so that the caller's connection can be used again. */
function drain(incoming: IncomingMessage): void {
  incoming.unpipe();
  incoming.resume();
}

function optionsOf(incoming: IncomingMessage, agent: Agent): RequestOptions {
  const headers = { ...withoutHops(incoming.headers), 'x-forwarded-for': incoming.socket.remoteAddress };
  return { agent, method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers };
}

function withoutHops<T extends NodeJS.Dict<string | string[]>>(headers: T): T {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.includes(name))) as T;
}

function refuse(reply: ServerResponse): void {
  if (reply.destroyed) return;
  reply.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' });
  reply.end(formatUnreachable(randomUUID()));
}
