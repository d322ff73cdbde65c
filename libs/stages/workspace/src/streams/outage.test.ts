import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createUuidV7 } from '@answer-evidence/encoding';
import { OutboundError } from '@answer-evidence/ports';
import { FakeOutbound, openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { changeStream } from './change-stream.ts';
import type { StreamDeps } from './deps.ts';
import { feedStream } from './feed-stream.ts';

const URLS = { down: 'https://down.example.com/', up: 'https://up.example.com/' } as const;
const MINUTE_MICROS = 60_000_000;
const MINUTES_PER_DAY = 1_440;
/** Pauses end at five minutes, less a half at random. */
const [ATTEMPTS_MIN, ATTEMPTS_MAX] = [MINUTES_PER_DAY / 6, MINUTES_PER_DAY / 2];

let workspace: PostgresWorkspace;
let deps: StreamDeps;
const outbound = new FakeOutbound();
const arrived = { down: new Array<number>(), up: new Array<number>() };
let isDown = false;

beforeAll(async () => {
  workspace = await openPostgresWorkspace();
  deps = {
    ...workspace,
    outbound,
    outboundTls: {
      assertPlaceAllowed: () => undefined,
      judgePems: () => undefined,
      deliver: () => Promise.reject(new Error('not asked for')),
    },
    buckets: { put: () => Promise.reject(new Error('not asked for')) },
    hostName: 'host.example.com',
  };
  for (const which of ['down', 'up'] as const)
    outbound.put(URLS[which], ({ body }) => {
      if (which === 'down' && isDown) throw new OutboundError('unreachable', 'nobody is there');
      const lines = new TextDecoder().decode(body).trimEnd().split('\n');
      arrived[which].push(...lines.map((line) => JSON.parse(line).leaf_index));
      return { status: 200, contentType: '', body: new Uint8Array() };
    });
});
afterAll(() => workspace.close());

async function addStream(to: keyof typeof URLS, name: string = to): Promise<string> {
  const streamId = createUuidV7(Math.floor(workspace.clock.nowMicros() / 1_000), workspace.random.bytes(10));
  const destination = { type: 'https', url: URLS[to], body: 'lines' } as const;
  const body = { name, destination, format: 'json', include_reasons: false, from: 'beginning' } as const;
  await changeStream(deps, workspace.workspace, workspace.manager, { kind: 'created', streamId, body });
  return streamId;
}

/** One look of a process: whatever is due is sent, or tried. */
async function look(): Promise<void> {
  const { id } = workspace.workspace;
  for (const streamId of await deps.streams.dueStreams(id))
    await feedStream(deps, workspace.workspace, streamId, new AbortController().signal);
}

describe('a collector that is down for a day', () => {
  it('gets everything in order once it is back, is asked seldom meanwhile, and holds up no other', async () => {
    const { id } = workspace.workspace;
    const [down, up] = [await addStream('down'), await addStream('up')];
    await look();
    const state = async (streamId: string) => (await deps.streams.findStream(id, streamId))!;
    const before = (await state(down)).state.tree_size;
    expect([arrived.down.length, (await state(down)).waiting]).toEqual([before, 0]);

    isDown = true;
    const tried = outbound.sent.length;
    for (let minute = 0; minute < MINUTES_PER_DAY; minute++) {
      workspace.clock.advance(MINUTE_MICROS);
      if (minute % 10 === 0) {
        // An entry of the log that changes neither what is sent nor what failed.
        const body = { name: `up, renamed ${minute}` };
        await changeStream(deps, workspace.workspace, workspace.manager, { kind: 'changed', streamId: up, body });
      }
      await look();
    }
    const waiting = await state(down);
    expect(waiting.state).toMatchObject({
      state: 'active',
      tree_size: before,
      last_error: 'no usable response arrived',
    });
    expect(waiting.waiting).toBe(MINUTES_PER_DAY / 10);
    expect(waiting.state.failing_since).toBeLessThan(workspace.clock.nowMicros() - 23 * 60 * MINUTE_MICROS);
    const attempts = outbound.sent.slice(tried).filter(({ url }) => url === URLS.down).length;
    expect(attempts).toBeGreaterThan(ATTEMPTS_MIN);
    expect(attempts).toBeLessThan(ATTEMPTS_MAX);
    const all = Array.from({ length: before + MINUTES_PER_DAY / 10 }, (_, leaf) => leaf);
    expect(arrived.up).toEqual(all);

    isDown = false;
    // The longest pause, and nobody has to do anything.
    for (let minute = 0; minute < 5; minute++) {
      workspace.clock.advance(MINUTE_MICROS);
      await look();
    }
    expect(arrived.down).toEqual(all);
    expect((await state(down)).state).toMatchObject({ failing_since: null, failures: 0, last_error: null });
  }, 120_000);

  it('fails until it has confirmed something, whatever is changed meanwhile, and a change has it tried at once', async () => {
    const { id } = workspace.workspace;
    const streamId = await addStream('down', 'changed');
    await look();
    isDown = true;
    const change = async (name: string) => {
      const wanted = { kind: 'changed', streamId, body: { name } } as const;
      await changeStream(deps, workspace.workspace, workspace.manager, wanted);
      return (await deps.streams.findStream(id, streamId))!.state;
    };
    await change('first');
    await look();
    const failing = (await deps.streams.findStream(id, streamId))!.state;
    expect(failing.failing_since).not.toBeNull();
    const { failing_since, failures, last_error, paused_until } = await change('second');
    expect({ failing_since, failures, last_error, paused_until }).toEqual({
      failing_since: failing.failing_since,
      failures: 1,
      last_error: 'no usable response arrived',
      paused_until: 0,
    });
    isDown = false;
    await look();
    expect((await deps.streams.findStream(id, streamId))!.state).toMatchObject({ failing_since: null, failures: 0 });
  });
});
