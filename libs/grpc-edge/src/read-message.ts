import { ServiceError } from '@answer-evidence/contracts';
import { CallerLeftError, GrowingBytes, overloaded } from '@answer-evidence/http-edge';
import type { ByteLease } from '@answer-evidence/routes';

/** A flag, and the length of the message. */
const PREFIX_BYTES = 5;

/** A message as it came. */
export type Message = { readonly bytes: Uint8Array; readonly isCompressed: boolean };

/** A stream as `node:http2` has it for one call. */
type CallStream = NodeJS.ReadableStream & { readonly destroyed: boolean; readonly readableEnded: boolean };

/** What a message may take. */
type MessageRoom = {
  /** Grows as the message arrives; where it cannot, the call is refused. */
  readonly lease: ByteLease;
  /** Told the announced length before anything is read of it; may throw. */
  assertAccepted(sizeBytes: number): void;
};

/**
 * The only message of a call. Rejects with `CallerLeftError` when the stream ends first or `signal` says that nobody
 * waits any more, and with `overloaded` where there is no room.
 */
export function readMessage(stream: CallStream, room: MessageRoom, signal: AbortSignal): Promise<Message> {
  return new Promise((resolve, reject) => {
    const prefix = new GrowingBytes(PREFIX_BYTES);
    let message: GrowingBytes | undefined;
    let sizeBytes = 0;
    let roomBytes = 0;
    function settle(): void {
      stream.off('data', take).off('end', finish).off('close', leave).off('error', leave);
      signal.removeEventListener('abort', leave);
    }
    function refuse(error: Error): void {
      settle();
      stream.pause();
      reject(error);
    }
    function leave(): void {
      refuse(new CallerLeftError('nobody waits for the reply'));
    }
    function take(chunk: Uint8Array): void {
      try {
        add(chunk);
      } catch (error) {
        refuse(error instanceof Error ? error : new Error('a chunk cannot be taken', { cause: error }));
      }
    }
    function add(chunk: Uint8Array): void {
      const missing = Math.min(PREFIX_BYTES - prefix.size, chunk.length);
      prefix.add(chunk.subarray(0, missing));
      if (prefix.size < PREFIX_BYTES) return;
      if (message === undefined) {
        sizeBytes = new DataView(prefix.bytes().buffer).getUint32(1);
        room.assertAccepted(sizeBytes);
        message = new GrowingBytes(sizeBytes);
      }
      const rest = chunk.subarray(missing);
      if (message.size + rest.length > sizeBytes) throw notOneMessage();
      takeRoom(message.size + rest.length);
      message.add(rest);
    }
    function takeRoom(size: number): void {
      if (size <= roomBytes) return;
      const next = Math.max(size, Math.min(sizeBytes, 2 * roomBytes));
      if (!room.lease.grow(next - roomBytes)) throw overloaded();
      roomBytes = next;
    }
    function finish(): void {
      if (message?.size !== sizeBytes) refuse(notOneMessage());
      else {
        settle();
        resolve({ bytes: message.bytes(), isCompressed: prefix.bytes()[0] === 1 });
      }
    }
    // One without any bytes has ended by itself.
    if (stream.readableEnded) finish();
    else if (stream.destroyed || signal.aborted) leave();
    else {
      signal.addEventListener('abort', leave);
      stream.on('data', take).on('end', finish).on('close', leave).on('error', leave);
    }
  });
}

function notOneMessage(): ServiceError {
  return new ServiceError(
    'malformed_request',
    'the call must have one whole message with its length before it; export again',
  );
}
