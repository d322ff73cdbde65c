import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines that are kept for the message of an error. */
const TAIL_LINES = 20;

/**
 * Reads what a server says, line by line, and returns a function for its last lines. A pipe that breaks ends nothing:
 * the server goes on, and each failure is told with how many there were. A server that is started anew is read again.
 */
export function readServerLog(stderr: Readable, log: (line: string) => void): () => string {
  const tail: string[] = [];
  let failures = 0;
  const tell = (line: string): void => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    log(line);
  };
  // For as long as the stream is there: without a listener, its next error would end this process.
  stderr.on('error', (error) => tell(`what the server says cannot be read (failure ${++failures}): ${error.message}`));
  const lines = createInterface({ input: stderr }).on('line', tell);
  // It hands on the errors of its input, to which nothing is to be added.
  lines.on('error', () => undefined);
  return () => tail.join('\n');
}
