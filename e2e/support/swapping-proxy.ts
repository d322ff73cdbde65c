import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a service that mixes up its responses. */
export type SwappingProxy = {
  readonly url: string;
  /** From now on the next response is kept, and each later one of the same method is replaced by it. */
  swap(): void;
  /** Every response is the one to its own request. */
  rest(): void;
  close(): Promise<void>;
};

type Kept = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer };

/** Opens one. What a host says of itself is never swapped. */
export async function openSwappingProxy(target: string): Promise<SwappingProxy> {
  let isSwapping = false;
  const kept = new Map<string, Kept>();
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const method = incoming.method ?? 'GET';
      const isOpen = incoming.url?.startsWith('/.well-known/') || incoming.url?.startsWith('/tlog/');
      const own = await forward(target, incoming);
      const first = kept.get(method);
      const shown = isSwapping && !isOpen ? (first ?? own) : own;
      if (isSwapping && !isOpen && first === undefined) kept.set(method, own);
      outgoing.writeHead(shown.status, shown.headers).end(shown.body);
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swap() {
      kept.clear();
      isSwapping = true;
    },
    rest() {
      isSwapping = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(target: string, incoming: IncomingMessage): Promise<Kept> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { authorization, 'content-type': type, 'idempotency-key': key, 'service-version': version } = incoming.headers;
  const headers = { authorization, 'content-type': type, 'idempotency-key': key?.toString() };
  const given = Object.entries({ ...headers, 'service-version': version?.toString() });
  const response = await fetch(target + (incoming.url ?? '/'), {
    method: incoming.method ?? 'GET',
    headers: given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
    ...(body.length === 0 ? {} : { body }),
  });
  const shown = [
    'content-type',
    'idempotency-replayed',
    'evidence-access-event-id',
    'evidence-asset-id',
    'content-disposition',
  ];
  const kept = shown.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
