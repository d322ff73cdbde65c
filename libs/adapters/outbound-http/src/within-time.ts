import { OutboundError } from '@answer-evidence/ports';

/** How long something may take, and who may end it sooner. */
type Limits = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined };

/** One deadline for the whole exchange: a peer gains nothing by trickling bytes. The caller may end it sooner. */
export async function withinTime<T>(limits: Limits, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let expire = (): void => undefined;
  const expired = new Promise<never>((_, reject) => {
    expire = () => {
      reject(timedOut());
      deadline.abort();
    };
    timer = setTimeout(expire, limits.timeoutMs);
    limits.signal?.addEventListener('abort', expire, { once: true });
  });
  if (limits.signal?.aborted === true) expire();
  try {
    return await Promise.race([action(deadline.signal), expired]);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', expire);
  }
}

/** That time ran out. */
export function timedOut(): OutboundError {
  return new OutboundError('timed_out', 'no complete response arrived in time');
}
