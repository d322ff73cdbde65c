import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamedContent } from '@answer-evidence/routes';
import { CallerLeftError } from './read-body.ts';

/**
 * Sends content as fast as it is taken. `writeHead` is called when the first piece is there, or the end. Rejects with
 * what the content throws, with `CallerLeftError` when the connection ends first, and when the content has not the size
 * that it says; after the head, the reply is then not whole, and the connection must be cut.
 */
export async function writeStream(
  req: IncomingMessage,
  res: ServerResponse,
  { bytes, sizeBytes }: StreamedContent,
  writeHead: () => void,
): Promise<void> {
  if (req.method === 'HEAD') {
    writeHead();
    res.end();
    return;
  }
  const pieces = bytes[Symbol.asyncIterator]();
  let sent = 0;
  let isDone = false;
  try {
    let step = await pieces.next();
    if (res.destroyed) throw new CallerLeftError('the connection ended');
    writeHead();
    while (step.done !== true) {
      const piece = step.value;
      sent += piece.byteLength;
      // A piece goes out when the next one or the end is there: a content that fails last does not look whole.
      step = await pieces.next();
      isDone = step.done === true;
      if (sizeBytes !== undefined && (isDone ? sent !== sizeBytes : sent >= sizeBytes))
        throw new Error('the content does not have its stated size');
      if (!res.write(piece)) await drained(res);
      if (res.destroyed) throw new CallerLeftError('the connection ended');
    }
    isDone = true;
    if (sent !== (sizeBytes ?? sent)) throw new Error('the content does not have its stated size');
    res.end();
  } finally {
    if (!isDone) await pieces.return?.();
  }
}

/** Until more can be written, or nobody is there any more. */
async function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return;
  const given = new AbortController();
  const { signal } = given;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).catch(() => undefined);
  given.abort();
}
