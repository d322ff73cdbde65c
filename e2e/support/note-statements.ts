import pg from 'pg';
import { hookQueries } from './hook-queries.ts';

type Wire = { readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean } };
type Submitted = { submit: (wire: Wire) => unknown };
type Prototype = { query: (this: pg.Client, ...args: unknown[]) => unknown };

/** The texts of the Parse messages among what is sent: `P`, a length, then a name and the text, each ending in 0. */
function parsedIn(bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== 0x50) continue;
    const from = bytes.indexOf(0, at + 5) + 1;
    texts.push(bytes.toString('utf8', from, bytes.indexOf(0, from)));
  }
  return texts;
}

/** Tells of each statement that a connection of this thread sends, until the result is called. */
export function noteStatements(note: (client: pg.Client, text: string) => void): () => void {
  const unhook = hookQueries(async ({ client, text, send }) => {
    note(client, text);
    return send();
  });
  // Transactions are written as one piece, by queries that write themselves.
  const prototype = pg.Client.prototype as unknown as Prototype;
  const { query } = prototype;
  prototype.query = function (...args) {
    const [given] = args as [Partial<Submitted> | string];
    if (typeof given === 'object' && given.submit !== undefined && Object.hasOwn(given, 'submit')) {
      const { submit } = given as Submitted;
      given.submit = (wire) => {
        const write = (bytes: Buffer) => {
          for (const text of parsedIn(bytes)) note(this, text);
          return wire.stream.write(bytes);
        };
        return submit(Object.assign(Object.create(wire), { stream: { writable: wire.stream.writable, write } }));
      };
    }
    return query.apply(this, args);
  };
  return () => {
    prototype.query = query;
    unhook();
  };
}
