// A load generator in a process of its own, so that its work is not counted as the benchmark's. Two ways to pace:
//   paced-program.ts steady <url> <prefix> <a second> <seconds>   at a constant rate, whatever the answers do
//   paced-program.ts lone <url> <prefix> <count>                  each after the answer to the one before
// The token is in BENCH_TOKEN. Prints the latencies in milliseconds as one JSON array.
import { setTimeout as delay } from 'node:timers/promises';
import { createBodyTemplate, formatKey, KEY_PLACEHOLDER } from '../service/create-body.ts';
import { CREATE, createSender, type Send } from './send-request.ts';

const CONNECTIONS = 64;
/** Sent before anything counts: connections open and code compiles. */
const WARM_UP_SECONDS = 2;
const WARM_UP_COUNT = 300;

const [mode, url = '', prefix = '', amount = '', seconds = ''] = process.argv.slice(2);
const token = process.env['BENCH_TOKEN'] ?? '';
const template = createBodyTemplate();
const bodyOf = (number: number): string => template.replace(KEY_PLACEHOLDER, formatKey(prefix, number));

if (mode === 'steady')
  await print(sendSteadily(createSender(url, token, CREATE, CONNECTIONS), Number(amount), Number(seconds)));
else if (mode === 'lone') await print(sendAlone(createSender(url, token, CREATE, 1), Number(amount)));
else throw new Error('the first argument is steady or lone');

/** Latencies from when each create was due, not sent: a stall counts for all it delayed (no coordinated omission). */
async function sendSteadily(send: Send, perSecond: number, duration: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  const total = Math.floor(perSecond * (WARM_UP_SECONDS + duration));
  const counted = start + WARM_UP_SECONDS * 1000;
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
    for (; sent < due; sent++) answers.push(sendDue(start + (sent / perSecond) * 1000, bodyOf(sent)));
    await delay(1);
  }
  await Promise.all(answers);
  return latencies;

  async function sendDue(dueAt: number, body: string): Promise<void> {
    await send(body);
    if (dueAt >= counted) latencies.push(performance.now() - dueAt);
  }
}

async function sendAlone(send: Send, count: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let number = 0; number < WARM_UP_COUNT + count; number++) {
    const body = bodyOf(number);
    const sentAt = performance.now();
    await send(body);
    if (number >= WARM_UP_COUNT) latencies.push(performance.now() - sentAt);
  }
  return latencies;
}

async function print(latencies: Promise<readonly number[]>): Promise<void> {
  const text = JSON.stringify((await latencies).map((ms) => Math.round(ms * 1000) / 1000));
  // The connections that are kept would hold the process.
  process.stdout.write(text, () => process.exit(0));
}
