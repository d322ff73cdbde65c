import { describe, expect, it } from '@jest/globals';
import { collect, createScript, ID, json, lost, problem, TOKEN } from '../fixtures/scripted-client.ts';
import { createClient } from './client.ts';
import { UnreachableError } from './errors.ts';

describe('an upload', () => {
  it('whose file cannot be read any more says so, and is not sent again', async () => {
    let sent = 0;
    const client = createClient({
      registry: 'https://demo.example',
      token: TOKEN,
      wait: () => Promise.resolve(),
      fetch: async (_, init) => {
        sent += 1;
        await new Response(init?.body ?? null).arrayBuffer().catch((cause: unknown) => {
          throw new TypeError('fetch failed', { cause });
        });
        return json(201, {});
      },
    });
    const broken = new RangeError('the disk is gone');
    const open = async function* () {
      yield await Promise.resolve(new Uint8Array(3));
      throw broken;
    };
    await expect(client.evidence.upload({ name: 'f', open })).rejects.toBe(broken);
    expect(sent).toBe(1);
  });

  it('that was refused early leaves no clock running, though more of it goes out', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    let goOn = (): Promise<unknown> => Promise.reject(new Error('nothing was sent'));
    const client = createClient({
      registry: 'https://demo.example',
      token: TOKEN,
      fetch: (_, init) => {
        const pieces = new Response(init?.body ?? null).body?.getReader();
        goOn = async () => [await pieces?.read(), await pieces?.read(), await pieces?.read()];
        return Promise.resolve(problem(401, 'unauthenticated'));
      },
    });
    const open = async function* () {
      for (;;) yield await Promise.resolve(new Uint8Array(3));
    };
    await expect(client.evidence.upload({ name: 'f', open })).rejects.toMatchObject({ status: 401 });
    expect(await goOn()).toMatchObject([{ done: false }, { done: false }, { done: false }]);
    expect(timers()).toBe(before);
  });
});

describe('a ledger check with its progress', () => {
  const report = {
    origin: 'log.example/demo/00000000',
    tree_size: 2,
    root_hash: 'ab',
    entries_checked: 2,
    outcome: 'PASS',
    findings_total: 0,
    findings: [],
  } as const;
  const step = { kind: 'progress', part: 'rows', done: 1, of: 2 } as const;

  it('is told how far it is, however the lines are cut, and gets the report', async () => {
    const text = [step, { kind: 'report', report }].map((line) => `${JSON.stringify(line)}\n`).join('');
    const letters = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const letter of text) controller.enqueue(new TextEncoder().encode(letter));
        controller.close();
      },
    });
    const script = createScript([new Response(letters)]);
    const told: unknown[] = [];
    expect(await script.client.trust.checkLedger((progress) => told.push(progress))).toEqual(report);
    expect(told).toEqual([step]);
    expect(script.sent.map(({ url }) => url)).toEqual([
      'https://demo.example/base/api/trust/ledger-checks?format=jsonl',
    ]);
  });

  it.each([
    ['ends without a report', `${JSON.stringify(step)}\n`],
    ['is cut within the report', JSON.stringify({ kind: 'report', report })],
    ['is no JSON', '<html>\n'],
  ])('is refused where the response %s', async (_, text) => {
    const script = createScript([new Response(text)]);
    await expect(script.client.trust.checkLedger(() => undefined)).rejects.toThrow('does not match the API contract');
  });
});

/** An answer whose body comes in these pieces; `lost` ends the connection. */
function pieces(...of: readonly string[]): Response {
  const left = [...of];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === 'lost') controller.error(lost());
      else if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { status: 200 });
}

describe('a record set', () => {
  const text = (all: readonly Uint8Array[]) => all.map((piece) => new TextDecoder().decode(piece)).join('');

  it('comes piece by piece, after retries that lost nothing', async () => {
    const { client, sent, waits } = createScript([lost(), json(503, {}), pieces('a\n', 'b\n')]);
    expect(text(await collect(await client.reconciliations.records(ID)))).toBe('a\nb\n');
    expect(sent.map(({ url }) => url)).toEqual(
      Array(3).fill(`https://demo.example/base/api/reconciliations/runs/${ID}/records`),
    );
    expect(waits).toHaveLength(2);
  });

  it('that breaks in the middle is an error, never a shorter set', async () => {
    const { client, sent } = createScript([pieces('a\n', 'lost')]);
    await expect(collect(await client.reconciliations.records(ID))).rejects.toThrow(UnreachableError);
    expect(sent).toHaveLength(1);
  });

  it('is refused like everything else', async () => {
    const { client } = createScript([problem(404, 'not_found')]);
    await expect(client.reconciliations.records(ID)).rejects.toThrow('404 not_found');
  });
});
