// Sends one hostile load until it is told to end (a line on standard input), in a process of its own:
//   hostile-program.ts <number of the load> <base URL> <record id>
// The token is in BENCH_TOKEN. Says `sending` when every request of the load is on its way, and at the end one JSON
// object: how many answers of each status came, and how much of a core was used.
import { Agent, request } from 'node:http';
import { HOSTILE_LOADS, type HostileRequest } from './loads.ts';

const [number = '', baseUrl = '', recordId = ''] = process.argv.slice(2);
const load = HOSTILE_LOADS[Number(number)];
if (load === undefined) throw new Error('there is no load of this number');
const token = load.token ?? process.env['BENCH_TOKEN'] ?? '';
const next = load.prepare({ recordId });
const agent = new Agent({ keepAlive: true, maxSockets: load.parallel });
const statuses: Record<string, number> = {};
let isEnding = false;

/** Resolves with the status, or what went wrong with the connection. */
function send({ method, path, contentType, body }: HostileRequest): Promise<string> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    ...(body === undefined ? {} : { 'Content-Length': body.byteLength }),
  };
  return new Promise((resolve) => {
    const sent = request(new URL(path, baseUrl), { method, agent, headers }, (response) => {
      response.once('error', () => resolve('broken'));
      response.once('end', () => resolve(String(response.statusCode)));
      response.resume();
    });
    // A server may refuse before it has read everything, and close.
    sent.once('error', () => resolve('closed'));
    sent.end(body);
  });
}

async function keepSending(): Promise<void> {
  while (!isEnding) {
    const status = await send(next());
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

process.stdin.once('data', () => (isEnding = true));
// The bench has ended without a word.
process.stdin.once('close', () => isEnding || process.exit(1));
const sending = Array.from({ length: load.parallel }, keepSending);
const before = process.cpuUsage();
const startMs = performance.now();
process.stdout.write('sending\n');
await Promise.all(sending);
const { user, system } = process.cpuUsage(before);
const cores = (user + system) / 1000 / (performance.now() - startMs);
process.stdout.write(`${JSON.stringify({ statuses, cores })}\n`, () => process.exit(0));
