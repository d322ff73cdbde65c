import { beforeEach, describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import type { OutboundHttp, OutboundResponse } from '@answer-evidence/ports';
import { createTestWitness, createWitnessOutbound } from '../../fixtures/create-witness.ts';
import { createClosedOutbound, createFakeTrust, createRecord } from '../../fixtures/trust.ts';
import { publishCheckpoint } from '../../publishing/publish-checkpoint.ts';

const PATH = '/api/trust/witnesses/test';
const witness = createTestWitness('w.example', 7);
const body = { vkey: witness.vkey, url: 'https://w.example' };
let asked: string[];

function answering(reply: Partial<OutboundResponse>): OutboundHttp {
  return {
    ...createClosedOutbound(),
    post(request) {
      asked.push(new TextDecoder().decode(request.body));
      return Promise.resolve({ status: 200, contentType: 'text/plain', body: new Uint8Array(), ...reply });
    },
  };
}

/** What a test says whose witness is reached by this way out, once something is published. */
async function tryBy(outbound: OutboundHttp) {
  const stage = createFakeTrust({ outbound });
  await createRecord(stage);
  await publishCheckpoint(stage.deps, stage.workspace, true);
  const reply = await stage.call('POST', PATH, { as: stage.manager, body });
  expect(await stage.deps.trust.witnessStates(stage.workspace.id)).toEqual([]);
  return reply.body;
}

beforeEach(() => {
  asked = [];
});

describe('POST /api/trust/witnesses/test', () => {
  it('says of a witness that has the checkpoint already when it signed', async () => {
    expect(await tryBy(createWitnessOutbound([witness], () => true))).toMatchObject({
      outcome: 'works',
      stated_at: '2026-11-20T09:00:00.000000Z',
    });
  });

  it('asks from the size of the checkpoint, so that a witness that knows less keeps nothing', async () => {
    const conflict = { status: 409, contentType: 'text/x.tlog.size', body: utf8('0\n') };
    expect(await tryBy(answering(conflict))).toMatchObject({
      outcome: 'works',
      detail: 'it knows this log, and has cosigned nothing of it yet',
    });
    const [oldSize, , , size] = asked[0]?.split('\n') ?? [];
    expect(oldSize).toBe(`old ${size}`);
  });

  it.each<[string, Partial<OutboundResponse>, string]>([
    ['does not know the log', { status: 404 }, 'log not known'],
    ['has more than there is', { status: 409, contentType: 'text/x.tlog.size', body: utf8('99\n') }, '99 entries'],
    ['answers with a page', { body: utf8('<html>') }, 'malformed'],
  ])('says that it failed for a witness that %s', async (_, reply, words) => {
    expect(await tryBy(answering(reply))).toMatchObject({ outcome: 'failed', detail: expect.stringContaining(words) });
  });

  it('does not take a line by the key of another', async () => {
    const other = createTestWitness('w.example', 8);
    expect(await tryBy(createWitnessOutbound([other], () => true))).toMatchObject({ outcome: 'failed' });
  });

  it('says that nobody answered in the words for everybody who does not', async () => {
    expect(await tryBy(createWitnessOutbound([witness], () => false))).toMatchObject({
      ...{ outcome: 'failed', detail: 'no usable response' },
    });
  });

  it('is not tried before anything is published', async () => {
    const stage = createFakeTrust();
    expect((await stage.call('POST', PATH, { as: stage.manager, body })).body).toMatchObject({ outcome: 'not_tried' });
  });
});
