import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import OpenAI from 'openai';
import { AnswerEvidence } from '@answer-evidence/package-sdk';
import { observe } from '@answer-evidence/package-sdk/openai';
import { medianOf } from '../figures.ts';

const CALLS = 2_000;
const WORDS = Array.from({ length: 40 }, (_, n) => `word-${n} `);
const ASKED = [{ role: 'user' as const, content: 'How long can I return a jacket?' }];
const ABOUT = { id: 'chatcmpl-1', created: 1, model: 'gpt-2026' };
const CHUNKS = [
  ...WORDS.map((content) => ({ index: 0, delta: { content }, finish_reason: null })),
  { index: 0, delta: {}, finish_reason: 'stop' },
].map((choice) => `data: ${JSON.stringify({ ...ABOUT, object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
const WHOLE = JSON.stringify({
  ...ABOUT,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: WORDS.join('') }, finish_reason: 'stop' }],
});

/** What one call costs, in microseconds: processor time of the process, and time until the caller has the answer. */
type Cost = { readonly cpu: number; readonly latency: number };
type Kind = { readonly name: string; call(client: OpenAI): Promise<void> };

const KINDS: readonly Kind[] = [
  {
    name: 'whole',
    async call(client) {
      await client.chat.completions.create({ model: 'gpt', messages: ASKED });
    },
  },
  {
    name: 'streamed',
    async call(client) {
      for await (const _ of await client.chat.completions.create({ model: 'gpt', messages: ASKED, stream: true }));
    },
  },
];

/** A client whose model is in this process: what it costs is the same with and without `observe`. */
function openClient(): OpenAI {
  const fetch = (_url: unknown, init?: { readonly body?: unknown }) => {
    const isStream = String(init?.body).includes('"stream":true');
    const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
    return Promise.resolve(new Response(isStream ? `${CHUNKS.join('')}data: [DONE]\n\n` : WHOLE, { headers }));
  };
  return new OpenAI({ apiKey: 'k', baseURL: 'http://model.invalid', fetch });
}

/** Calls one after the other. The time of the processor includes that of sending the records. */
async function measure(kind: Kind, client: OpenAI, flush: () => Promise<number>): Promise<Cost> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) {
    const start = performance.now();
    await kind.call(client);
    latencies.push((performance.now() - start) * 1000);
  }
  if ((await flush()) > 0) throw new Error('not every answer was recorded');
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / CALLS, latency: medianOf(latencies) };
}

/** Measures calls with and without `observe` in turns, and returns the report. */
export async function measureObserve(rounds: number, progress: (line: string) => void): Promise<string> {
  const service = spawn(process.execPath, [join(import.meta.dirname, 'recording-service.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const [url] = (await once(service.stdout ?? service, 'data')) as [Buffer];
    const evidence = new AnswerEvidence({
      application: 'support-bot',
      url: url.toString().trim(),
      token: 't',
      queue: { max: 2 * CALLS },
    });
    const [plain, observed] = [openClient(), observe(openClient(), evidence)];
    const lines: string[] = [];
    for (const kind of KINDS) {
      const pairs: (readonly [Cost, Cost])[] = [];
      // The first round is for the compiler.
      for (let round = 0; round <= rounds; round++) {
        progress(`observe, ${kind.name}, round ${round} of ${rounds}`);
        const without = await measure(kind, plain, () => Promise.resolve(0));
        pairs.push([without, await measure(kind, observed, () => evidence.flush())]);
      }
      lines.push(...formatKind(kind.name, pairs.slice(1)));
    }
    await evidence.close();
    return lines.join('\n');
  } finally {
    service.kill();
  }
}

function formatKind(name: string, pairs: readonly (readonly [Cost, Cost])[]): readonly string[] {
  return (['cpu', 'latency'] as const).map((which) => {
    const without = medianOf(pairs.map(([cost]) => cost[which]));
    const observed = medianOf(pairs.map(([, cost]) => cost[which]));
    const what = which === 'cpu' ? 'processor' : 'until the caller has it';
    const ratio = (observed / without).toFixed(2);
    const [a, b, more] = [without, observed, observed - without].map((micros) => micros.toFixed(0));
    return `${name}, ${what}: ${a} µs without, ${b} µs with: ${more} µs more, ratio ${ratio}`;
  });
}
