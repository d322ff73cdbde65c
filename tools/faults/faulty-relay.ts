import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before one server, which can be cut, held as by a paused server, or slowed. */
export type FaultyRelay = {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Cuts every connection, and refuses new ones. */
  cut(): void;
  /** Keeps every connection, and passes nothing on. */
  hold(): void;
  /** Passes everything on so much later, in each direction. */
  slow(delayMs: number): void;
  /** Passes everything on at once, as at the beginning. */
  repair(): void;
  close(): Promise<void>;
};

/** Opens it on a free port. `target` says where each new connection goes, as `host:port`. */
export async function openFaultyRelay(target: () => string): Promise<FaultyRelay> {
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'held' = 'open';
  let delayMs = 0;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  }
  function carry(from: Socket, to: Socket): void {
    from.on('data', (part: Buffer) => {
      if (delayMs === 0) to.write(part);
      else setTimeout(() => to.write(part), delayMs);
    });
    from.on('close', () => setTimeout(() => to.destroy(), delayMs));
    if (mode === 'held') from.pause();
  }
  const server = createServer((socket) => {
    if (mode === 'cut') return void socket.destroy();
    const [host = '', port = ''] = target().split(':');
    const behind = keep(connect({ host, port: Number(port), noDelay: true }));
    carry(keep(socket.setNoDelay(true)), behind);
    carry(behind, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      mode = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    hold() {
      mode = 'held';
      for (const socket of sockets) socket.pause();
    },
    slow(ms) {
      delayMs = ms;
    },
    repair() {
      mode = 'open';
      delayMs = 0;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
