import { openRaw } from '../../../libs/http-edge/src/fixtures/send-raw.ts';
import { type Attack, describeStatuses, serverFaults } from '../attack.ts';
import { partOf } from '../scene.ts';

const HOST = 'Host: 127.0.0.1';
const POST = `POST /api/answer-audit-logs HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json`;
/** A second request inside of a body: it must never be answered. */
const SMUGGLED = `GET /livez-smuggled HTTP/1.1\r\n${HOST}\r\n\r\n`;
const ANSWER_MS = 3_000;

/** Requests whose end two readers could see at two places, or that are none. */
const FRAMINGS: readonly string[] = [
  `${POST}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nContent-Length: +5\r\n\r\nabcde`,
  `${POST}\r\nContent-Length: 5 \r\nContent-Length: 6\r\n\r\nabcdef`,
  `${POST}\r\nContent-Length: 0x5\r\n\r\nabcde`,
  `${POST}\r\nContent-Length: -1\r\n\r\n`,
  `${POST}\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  `${POST}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}\r\nTransfer-Encoding: chunked\r\n\r\n5;a\nabcde\r\n0\r\n\r\n`,
  `${POST}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  `${POST}\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabcde\r\n`,
  `${POST.replace('1.1', '1.0')}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `GET /api/whoami HTTP/1.1\r\n${HOST}\r\n${HOST}\r\n\r\n`,
  'GET /api/whoami HTTP/1.1\r\n\r\n',
  `GET /api/whoami HTTP/1.1\n${HOST}\n\n`,
  `GET /api/whoami HTTP/1.1\r\n${HOST}\r\nX: a\rb\r\n\r\n`,
  `GET /api/whoami HTTP/1.1\r\n${HOST}\r\nX: a\u0000b\r\n\r\n`,
  `GET /api/whoami HTTP/1.1\r\n${HOST}\r\nX\u00e9: a\r\n\r\n`,
  `GET /api/whoami HTTP/1.1\r\n${HOST}\r\n: a\r\n\r\n`,
  `GET /api/whoami HTTP/9.9\r\n${HOST}\r\n\r\n`,
  `GET http://elsewhere/api/whoami HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `CONNECT 127.0.0.1:5432 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `${'G'.repeat(20_000)} / HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET / HTTP/1.1\r\n${HOST}\r\n${'X: a\r\n'.repeat(5_000)}\r\n`,
  `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\u0000'.repeat(100)}`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
];

async function send(port: number, text: string): Promise<readonly number[]> {
  const raw = await openRaw(port, { allowHalfOpen: true });
  const late = setTimeout(() => raw.socket.destroy(), ANSWER_MS);
  raw.socket.end(text, 'latin1');
  const came = await raw.toEnd();
  clearTimeout(late);
  return [...came.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

/** Requests that two readers would read as two different ones. */
export const FRAMING_ATTACKS: readonly Attack[] = [
  {
    kind: 'framings',
    name: 'requests that end at two places, or that are none',
    probeMsMax: 1_000,
    async run(scene) {
      const statuses: number[] = [];
      const breaches: string[] = [];
      const framings = partOf(scene, FRAMINGS);
      for (const text of framings) {
        const n = FRAMINGS.indexOf(text);
        const came = await send(scene.port, text);
        statuses.push(...came);
        if (text.includes(SMUGGLED) && came.length > 1) breaches.push(`framing ${n}: two replies`);
        if (came.some((status) => status < 400)) breaches.push(`framing ${n}: ${came.join()}`);
      }
      return {
        requests: framings.length,
        seen: describeStatuses(statuses),
        breaches: [...breaches, ...serverFaults('', statuses)],
      };
    },
  },
];
