import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { openMailer, parseMailServer } from './open-mailer.ts';

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

const MAIL = {
  id: '0199f3c2-6000-7000-8000-000000000002',
  to: 'anna@example.com',
  subject: 'Ein Datensatz – geschwärzt',
  text: 'one\n',
  html: '<p>one</p>',
  unsubscribeUrl: 'https://evidence.example.com/console/notifications',
};

async function listenOn(server: Server | SMTPServer, host: string): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, host, () => resolve()));
  const address = ('server' in server ? server.server : server).address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function openPeer(act: (socket: Socket) => void, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    act(socket);
  });
  const port = await listenOn(server, host);
  closes.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return `smtp://${host}:${port}`;
}

async function openServer(options: ConstructorParameters<typeof SMTPServer>[0], host = '127.0.0.1'): Promise<string> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
  // A client may reset the connection.
  server.on('error', () => undefined);
  const port = await listenOn(server, host);
  closes.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `smtp://${host}:${port}`;
}

/** A server that keeps each mail as it came. */
async function openKeeper(): Promise<{ readonly url: string; readonly sources: readonly string[] }> {
  const sources: string[] = [];
  const url = await openServer({
    onData(stream, _session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        sources.push(Buffer.concat(parts).toString('latin1'));
        callback();
      });
    },
  });
  return { url, sources };
}

/** Headers of a mail, a line each. */
function headersOf(source = ''): readonly string[] {
  return source
    .slice(0, source.indexOf('\r\n\r\n'))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
}

const never = new AbortController().signal;
const send = (url: string, mail = MAIL) =>
  openMailer(parseMailServer(url), 'evidence@example.com', { stepMs: 300, wholeMs: 600 }).send(mail, never);

describe('a mail server', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['hangs up', (socket) => void socket.destroy()],
    ['speaks another protocol', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    [
      'never ends its greeting',
      (socket) => {
        const timer = setInterval(() => socket.write('220-wait\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    ['is busy', (socket) => void socket.end('421 too busy, secret words\r\n')],
  ])('that %s fails the attempt within its time, in our words', async (_, act) => {
    const outcome = await send(await openPeer(act));
    expect(outcome.kind).toBe('failed');
    expect(JSON.stringify(outcome)).not.toContain('secret words');
  });

  it('gets one message with the headers of its sender, whatever a text has', async () => {
    const { url, sources } = await openKeeper();
    const outcome = await send(url, { ...MAIL, subject: 'a\r\nBcc: other@example.com', text: '.\r\nQUIT\r\n' });
    expect(outcome).toEqual({ kind: 'sent', status: 250 });
    expect(headersOf(sources[0])).toEqual(
      expect.arrayContaining([
        'Message-ID: <0199f3c2-6000-7000-8000-000000000002@example.com>',
        'List-Unsubscribe: <https://evidence.example.com/console/notifications>',
        'Auto-Submitted: auto-generated',
      ]),
    );
  });

  it.each([
    ['ends its line', 'a\r\nBcc: other@example.com\r\n\r\n<html>'],
    ['ends its line as other systems do', 'a\rBcc: other@example.com\nBcc: other@example.com'],
    ['has control characters', 'a\u0000b\u001b[31m\u007f\u0085Bcc: other@example.com'],
    ['separates lines otherwise', 'a\u2028Bcc: other@example.com\u2029\u000bBcc: other@example.com'],
    ['turns what stands around it', '\u202emoc.elpmaxe@rehto :ccB'],
    ['looks like an encoded word', '=?utf-8?Q?=0D=0ABcc:_other@example.com?='],
    ['looks like one that is invalid', '=?utf-8?Q?ä?= =?x?B?=?'],
    ['is half of a character', 'a\ud800'],
    ['is long', 'Bcc: '.repeat(2_000)],
    ['is long, without a space', 'é'.repeat(10_000)],
  ])('gets the same headers for a subject that %s', async (_, subject) => {
    const { url, sources } = await openKeeper();
    for (const one of ['harmless', subject])
      expect(await send(url, { ...MAIL, subject: one })).toEqual({ kind: 'sent', status: 250 });
    const [names, same] = sources.map((source) => headersOf(source).map((line) => line.split(':')[0]));
    expect(names).toEqual(same);
    const line = headersOf(sources[1]).find((one) => one.startsWith('Subject: ')) ?? '';
    expect(line).not.toMatch(/[^ -~]/);
  });

  it('shows a subject that looks like an encoded word as it is written', async () => {
    const { url, sources } = await openKeeper();
    await send(url, { ...MAIL, subject: '[=?utf-8?Q?Your_password?=]' });
    expect(headersOf(sources[0])).toContain('Subject: [= ?utf-8?Q?Your_password?=]');
  });

  it('that refuses the address is told from one that refuses for now', async () => {
    const respond = (responseCode: number) =>
      openServer({ onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode })) });
    expect(await send(await respond(550))).toMatchObject({ kind: 'refused', status: 550 });
    expect(await send(await respond(450))).toMatchObject({ kind: 'failed', status: 450 });
  });

  it.each([530, 550])(
    'that refuses whom mails are from with %d fails the attempt, and no address',
    async (responseCode) => {
      const url = await openServer({
        onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode })),
      });
      const error = `the mail server responded ${responseCode}`;
      expect(await send(url)).toEqual({ kind: 'failed', status: responseCode, error });
    },
  );

  it('that refuses the mail after its address fails the attempt', async () => {
    const url = await openServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(Object.assign(new Error('no'), { responseCode: 552 })));
      },
    });
    expect(await send(url)).toMatchObject({ kind: 'failed', status: 552 });
  });

  it('elsewhere that offers no TLS gets neither the password nor the mail', async () => {
    let isAsked = false;
    const url = await openServer({ onAuth: () => (isAsked = true), onData: () => (isAsked = true) }, '127.0.0.2');
    expect(await send(url.replace('smtp://', 'smtp://user:pass@'))).toMatchObject({ kind: 'failed' });
    expect(isAsked).toBe(false);
  });

  it('elsewhere whose STARTTLS shows a certificate that nobody vouches for gets neither the password nor the mail', async () => {
    const asked: string[] = [];
    const url = await openServer(
      {
        disabledCommands: [],
        onAuth: () => void asked.push('password'),
        onMailFrom: () => void asked.push('mail'),
      },
      '127.0.0.2',
    );
    expect(await send(url.replace('smtp://', 'smtp://user:pass@'))).toMatchObject({ kind: 'failed', status: null });
    expect(asked).not.toContain('password');
    expect(asked).not.toContain('mail');
  });

  it('that does not let the service in fails the attempt, and says nothing of the password', async () => {
    const url = await openServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('wrong')),
    });
    const outcome = await send(url.replace('smtp://', 'smtp://user:very-secret@'));
    expect(outcome).toMatchObject({ kind: 'failed', error: 'the mail server does not let the service in' });
    expect(JSON.stringify(outcome)).not.toContain('very-secret');
  });

  it.each(['mail.example.com', 'http://mail.example.com', 'smtp://', 'smtp://a/b', 'smtp://a?x'])(
    'is not named by %s',
    (text) => {
      expect(() => parseMailServer(text)).toThrow(/must/);
    },
  );
});
