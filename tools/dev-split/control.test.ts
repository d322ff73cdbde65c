import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { askSupervisor, serveControl } from './control.ts';
import { SplitFailure } from './failure.ts';

const STATE = { pid: process.pid, isReady: true, url: 'http://localhost:8080', parts: [] };

/** Once everything that is under way in this process has been delivered. */
function afterwards(action: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(action)));
}

describe('asking the supervisor of a folder', () => {
  const before = process.cwd();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-control-'));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });

  /** One that does this to every caller. */
  async function supervise(answer: (socket: Socket) => void): Promise<Server> {
    const server = createServer({ pauseOnConnect: true }, answer);
    await new Promise<void>((resolve) => server.listen('control.sock', resolve));
    return server;
  }
  const end = (server: Server) => new Promise((resolve) => void server.close(resolve));

  it('tells what it says, and that there is none', async () => {
    expect(await askSupervisor('status')).toBeUndefined();
    const endControl = await serveControl(
      () => STATE,
      () => undefined,
    );
    expect(await askSupervisor('status')).toEqual(STATE);
    endControl();
    rmSync('control.sock', { force: true });
    expect(await askSupervisor('status')).toBeUndefined();
  });

  it('says what to do about one that is silent', async () => {
    const held: Socket[] = [];
    const server = await supervise((socket) => void held.push(socket.resume()));
    const silence = /^the supervisor in .* has not answered for 0\.05 s; try again, or end the process/;
    await expect(askSupervisor('stop', 50)).rejects.toThrow(SplitFailure);
    await expect(askSupervisor('status', 50)).rejects.toThrow(silence);
    for (const socket of held) socket.destroy();
    await end(server);
  });

  it.each([
    // The question is in the socket, and nobody has read it: ECONNRESET.
    ['has not read the question', (socket: Socket) => afterwards(() => socket.destroy())],
    ['has read it', (socket: Socket) => void socket.on('data', () => socket.destroy()).resume()],
    ['has said half of it', (socket: Socket) => void socket.end(JSON.stringify(STATE).slice(0, 20)).resume()],
  ])('takes one that ends when it %s for none', async (_, answer) => {
    const server = await supervise(answer);
    expect(await askSupervisor('status')).toBeUndefined();
    await end(server);
  });
});
