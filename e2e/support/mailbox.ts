import { SMTPServer } from 'smtp-server';
import { findSplitPlace } from '../../tools/scenery/split-place.ts';

/** A mail as it arrived. */
export type Arrived = {
  readonly to: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The part of plain text, decoded. */
  readonly text: string;
};

/**
 * A mail server of another author, which takes every mail, or responds what `responds` says of RCPT: on a free port, or
 * on the split form at the port that its processes were told.
 */
export async function openMailbox() {
  const received: Arrived[] = [];
  let respond: (to: string) => number | undefined = () => undefined;
  let isHeld = (): boolean => false;
  let arrived = (): void => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = respond(address);
      if (responseCode === undefined) callback();
      else callback(Object.assign(new Error('not now'), { responseCode }));
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(parseMail(session.envelope.rcptTo[0]?.address ?? '', Buffer.concat(parts).toString('latin1')));
        // Whom it does not tell that it has taken the mail does not know.
        if (!isHeld()) callback();
        arrived();
      });
    },
  });
  // A client may reset the connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(portOfSplit(), '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** From now on it responds so to each address. */
    responds(how: (to: string) => number | undefined) {
      respond = how;
    },
    /** From now on it says of a mail that has arrived that it has taken it only if this is false. */
    holds(when: () => boolean) {
      isHeld = when;
    },
    /** Resolves with the first mail that fits, also an earlier one. */
    async waitFor(fits: (one: Arrived) => boolean): Promise<Arrived> {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (arrived = resolve));
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function portOfSplit(): number {
  const url = findSplitPlace()?.environment['SERVICE_SMTP_URL'];
  return url === undefined ? 0 : Number(new URL(url).port);
}

/** Reads a mail whose first part is its plain text. */
export function parseMail(to: string, source: string): Arrived {
  const end = source.indexOf('\r\n\r\n');
  const headers = parseHeaders(source.slice(0, end));
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const [, plain = ''] = source.slice(end).split(`--${boundary}`);
  const split = plain.indexOf('\r\n\r\n');
  const encoding = parseHeaders(plain.slice(0, split).trimStart()).get('content-transfer-encoding');
  return { to, headers, text: decode(plain.slice(split + 4), encoding) };
}

function parseHeaders(text: string): ReadonlyMap<string, string> {
  const lines = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function decode(text: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
