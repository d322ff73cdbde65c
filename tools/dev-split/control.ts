import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { SplitFailure } from './failure.ts';

/** What one part is doing. */
export type PartState = {
  readonly name: string;
  readonly state: 'starting' | 'running' | 'ended';
  readonly pid: number | undefined;
  /** Where it listens, or what it is when it is no process. */
  readonly at: string;
  /** Where it tells its metrics, if it does. */
  readonly metrics?: string | undefined;
};

/** What the supervisor says of itself. */
export type SplitState = {
  readonly pid: number;
  readonly isReady: boolean;
  readonly url: string;
  readonly parts: readonly PartState[];
};

/** A socket in the folder of the installation: the process that answers on it is its supervisor. */
const SOCKET = 'control.sock';
/** How long a supervisor may be silent: on a busy machine, one that starts or ends its parts is so for seconds. */
const ASK_MS = 30_000;
/** How a connection fails where nobody listens, or where who listens ends before it has answered. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** Answers with the state, and ends the installation when it is asked to. The working directory is its folder. */
export async function serveControl(state: () => SplitState, onStop: () => void): Promise<() => void> {
  // Nobody answers on it, which the caller has asked; a supervisor that was killed left it.
  rmSync(SOCKET, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (words) => {
      if (words.toString().trim() === 'stop') onStop();
      socket.end(JSON.stringify(state()));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(SOCKET, resolve);
  });
  return () => void server.close();
}

/**
 * What the supervisor of the working directory says; undefined where there is none, or none any more. Rejects with
 * `SplitFailure` when one is there and says nothing.
 */
export function askSupervisor(words: 'status' | 'stop', askMs = ASK_MS): Promise<SplitState | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(SOCKET);
    let text = '';
    socket.setTimeout(askMs, () => {
      const advice = 'try again, or end the process that has its socket open (fuser control.sock)';
      const silence = `the supervisor in ${process.cwd()} has not answered for ${askMs / 1_000} s`;
      socket.destroy(new SplitFailure(`${silence}; ${advice}`));
    });
    socket.on('data', (part: Buffer) => (text += part.toString()));
    socket.once('connect', () => socket.write(`${words}\n`));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    socket.once('close', () => resolve(parseState(text)));
  });
}

/** An answer that broke off is none. */
function parseState(text: string): SplitState | undefined {
  try {
    return JSON.parse(text) as SplitState;
  } catch {
    return undefined;
  }
}
