import type { ChildProcess } from 'node:child_process';

/** What a worker of `jest-light-runner` asks for, and the answer to it. */
const QUESTION = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

/**
 * Keeps the answer to a worker until it asks. The question of one worker makes the runner answer all that have work,
 * and one that is still starting would miss it, ask in vain, and wait for ever.
 */
export function holdAnswer(child: ChildProcess): ChildProcess {
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean;
  let hasAsked = false;
  let held: readonly unknown[] | undefined;
  child.send = (...args: readonly unknown[]) => {
    if (hasAsked || (args[0] as { readonly type?: unknown } | null)?.type !== ANSWER) return send(...args);
    held = args;
    return true;
  };
  child.on('message', (message) => {
    if (message !== QUESTION) return;
    hasAsked = true;
    if (held !== undefined) send(...held);
    held = undefined;
  });
  return child;
}
