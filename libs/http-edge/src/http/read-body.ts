import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@answer-evidence/contracts';
import type { ByteLease } from '@answer-evidence/routes';
import { GrowingBytes } from './growing-bytes.ts';

/** What a body may take while it comes. */
export type BodyRoom = {
  /** Grows with what has arrived; what is announced takes nothing. Undefined: the body is small. */
  readonly lease: ByteLease | undefined;
  /** Told of the bytes of a large body that announced no length, as they come; undefined for all others. */
  readonly charge: ((bytes: number) => void) | undefined;
};

/** The caller left before the body was whole. Nobody is there to be answered, and nothing of ours failed. */
export class CallerLeftError extends Error {
  override readonly name = 'CallerLeftError';
}

/** What a body takes of memory before that is counted: as many connections as there may be can have it. */
export const UNCOUNTED_BYTES = 64 * 1024;

/** Whether the request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * The body if all of it has arrived and is not too large, which is so for most by the time that their caller was let
 * in; else undefined, and `readBody` waits for it or refuses it. To wait takes four listeners and several turns.
 */
export function readIfBuffered(req: IncomingMessage, bytesMax: number): Uint8Array | undefined {
  if (!req.complete || req.destroyed || req.readableLength === 0 || req.readableLength > bytesMax) return undefined;
  const body: unknown = req.read();
  return body instanceof Uint8Array ? body : undefined;
}

/**
 * The whole body. Throws `body_too_large` as soon as it is known to exceed `bytesMax`: before the first byte when its
 * length is announced. The lease of its room grows as the body comes beyond `UNCOUNTED_BYTES`, and where it cannot,
 * `overloaded` is thrown. Rejects with `CallerLeftError` when the connection ends first.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  room?: BodyRoom,
): Promise<Uint8Array> {
  const announced = req.headers['content-length'];
  if (announced !== undefined && Number(announced) > bytesMax) throw bodyTooLarge(bytesMax);
  if (req.destroyed) throw new CallerLeftError('the connection ended');
  // Only now: a caller who asked first sends nothing that would be refused.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return await collect(req, bytesMax, announced === undefined ? bytesMax : Number(announced), room);
}

function collect(
  req: IncomingMessage,
  bytesMax: number,
  sizeMax: number,
  given: BodyRoom | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes(sizeMax);
    let roomBytes = given?.lease === undefined ? Infinity : UNCOUNTED_BYTES;
    let uncharged = 0;
    /** Room for so many bytes, and as the memory grows, for the next ones too. */
    function hasRoom(size: number): boolean {
      if (size <= roomBytes) return true;
      const room = Math.max(size, Math.min(sizeMax, 2 * roomBytes));
      if (given?.lease?.grow(room - roomBytes) === false) return false;
      roomBytes = room;
      return true;
    }
    function refuse(error: ServiceError): void {
      settle();
      req.pause();
      reject(error);
    }
    function settle(): void {
      req.off('data', take).off('end', finish).off('close', abort).off('error', abort);
    }
    function take(chunk: Uint8Array): void {
      const size = body.size + chunk.byteLength;
      if (size > bytesMax) refuse(bodyTooLarge(bytesMax));
      else if (!hasRoom(size)) refuse(overloaded());
      else {
        body.add(chunk);
        charge(chunk.byteLength);
      }
    }
    function charge(bytes: number): void {
      uncharged += bytes;
      if (given?.charge === undefined || body.size <= UNCOUNTED_BYTES) return;
      given.charge(uncharged);
      uncharged = 0;
    }
    function finish(): void {
      settle();
      resolve(body.bytes());
    }
    function abort(): void {
      settle();
      reject(new CallerLeftError('the connection ended'));
    }
    req.on('data', take).on('end', finish).on('close', abort).on('error', abort);
  });
}

/** A body of more bytes than a route takes. */
export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError('body_too_large', `the body may have at most ${bytesMax} bytes`);
}

/** A body that there is no memory for now. */
export function overloaded(cause?: unknown): ServiceError {
  return new ServiceError('overloaded', 'the server is at capacity; retry the same request', {
    remedy: 'retry',
    cause,
  });
}
