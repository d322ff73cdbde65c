import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay before one server: what lies behind it can be taken away, and given back, without its being told. */
export type CuttableRelay = {
  readonly url: string;
  /** Cuts every connection, and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Has new connections go to another server; those that are open stay. */
  turnTo(targetUrl: string): void;
  close(): Promise<void>;
};

/** Opens it on a free port of the loopback interface. */
export async function openCuttableRelay(targetUrl: string): Promise<CuttableRelay> {
  let target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  }
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    // Without delays: a relay that gathers small packets would make each question to a database wait for 40 ms.
    const behind = keep(connect({ host: target.hostname, port: Number(target.port), noDelay: true }));
    keep(socket.setNoDelay(true)).pipe(behind).pipe(socket);
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  function endAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
    },
    turnTo(another) {
      target = new URL(another);
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
