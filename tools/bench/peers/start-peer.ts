import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const READY_MS_MAX = 30_000;
const POLL_MS = 50;

/** Starts a server of somebody else, and resolves when it listens on this port; what is returned stops it. */
export async function startPeer(program: string, args: readonly string[], port: number): Promise<() => Promise<void>> {
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', resolve).once('close', resolve);
  }).then(() => {
    hasEnded = true;
    process.off('exit', kill);
  });
  const until = performance.now() + READY_MS_MAX;
  while (!(await isOpen(port))) {
    if (hasEnded || performance.now() > until) {
      kill();
      throw new Error(`${program} does not listen on port ${port}`);
    }
    await delay(POLL_MS);
  }
  return async () => {
    kill();
    await ended;
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
