import { appendFileSync, readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createTls } from 'node:tls';

/** Writes down every event that comes, one per line, and confirms it then. It may be killed at any time. */
const [, , kind = '', port = '', file = '', folder = ''] = process.argv;

// The line that the last one was killed at ends here.
appendFileSync(file, '\n');

/** Takes the frames of RFC 5425 that are whole off the bytes; what remains of them. */
function takeFrames(bytes: Buffer): Buffer {
  let rest = bytes;
  let lines = '';
  for (;;) {
    const space = rest.indexOf(' ');
    const end = space + 1 + Number(rest.subarray(0, Math.max(space, 0)).toString());
    if (space < 1 || rest.length < end) break;
    const message = rest.subarray(space + 1, end).toString();
    const [, json] = /^<\d+>1 \S+ \S+ answer-evidence - \S+ - (\{.*\})$/.exec(message) ?? [];
    if (json === undefined) throw new Error(`this is no message of syslog: ${message}`);
    lines += `${json}\n`;
    rest = rest.subarray(end);
  }
  if (lines !== '') appendFileSync(file, lines);
  return rest;
}

const server =
  kind === 'https'
    ? createHttp((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          appendFileSync(file, Buffer.concat(chunks));
          response.writeHead(200).end();
        });
      })
    : createTls(
        { cert: readFileSync(`${folder}/receiver.pem`), key: readFileSync(`${folder}/receiver.key`) },
        (socket) => {
          let rest: Buffer = Buffer.alloc(0);
          socket.on('error', () => undefined);
          socket.on('data', (chunk: Buffer) => {
            rest = takeFrames(Buffer.concat([rest, chunk]));
          });
        },
      );
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
