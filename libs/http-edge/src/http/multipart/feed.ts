import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@answer-evidence/contracts';
import { CallerLeftError } from '../read-body.ts';
import type { PartQueue } from './part-queue.ts';

/**
 * Carries the body of a request into a queue, as fast as its parts are read. A body of more bytes fails with
 * `body_too_large`, a connection that ends before it with `CallerLeftError`. Returns what stops it: the request can
 * then be answered, and nothing of it was destroyed.
 */
export function feedParts(req: IncomingMessage, parts: PartQueue, bytesMax: number): () => void {
  const { sink } = parts;
  let size = 0;
  function take(chunk: Uint8Array): void {
    size += chunk.byteLength;
    if (size > bytesMax) {
      stop();
      parts.fail(new ServiceError('body_too_large', `the body may have at most ${bytesMax} bytes`));
    } else if (!sink.write(chunk)) {
      req.pause();
    }
  }
  function goOn(): void {
    req.resume();
  }
  function finish(): void {
    stop();
    sink.end();
  }
  function abort(): void {
    stop();
    parts.fail(new CallerLeftError('the connection ended'));
  }
  function stop(): void {
    req.off('data', take).off('end', finish).off('close', abort).off('error', abort);
    sink.off('drain', goOn);
    req.pause();
  }
  sink.on('drain', goOn);
  req.on('data', take).on('end', finish).on('close', abort).on('error', abort);
  if (req.destroyed) abort();
  return stop;
}
