import { beforeEach, describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import type { OutboundHttp, OutboundResponse } from '@answer-evidence/ports';
import { createTestWitness, createWitnessOutbound } from '../../fixtures/create-witness.ts';
import { createClosedOutbound, createRecord, openTrust } from '../../fixtures/trust.ts';
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
  const stage = await openTrust({ outbound });
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
    const stage = await openTrust();
    expect((await stage.call('POST', PATH, { as: stage.manager, body })).body).toMatchObject({ outcome: 'not_tried' });
  });
});

describe('POST /api/trust/witnesses/test with cosign', () => {
  async function join(outbound: OutboundHttp) {
    const stage = await openTrust({ outbound });
    await createRecord(stage);
    await publishCheckpoint(stage.deps, stage.workspace, true);
    const reply = await stage.call('POST', PATH, { as: stage.manager, body: { ...body, cosign: true } });
    expect(await stage.deps.trust.witnessStates(stage.workspace.id)).toEqual([]);
    return reply.body;
  }

  it('has the witness cosign from nothing, and verifies the line by its key', async () => {
    expect(await join(createWitnessOutbound([witness], () => true))).toMatchObject({
      outcome: 'works',
      detail: expect.stringMatching(/^it has cosigned all \d+ published entries$/),
    });
  });

  it('proves the growth to a witness that has cosigned before', async () => {
    const real = createWitnessOutbound([witness], () => true);
    const posted: string[] = [];
    const outbound: OutboundHttp = {
      ...real,
      post(request) {
        const sent = new TextDecoder().decode(request.body);
        posted.push(sent);
        if (sent.startsWith('old 1\n')) return real.post(request);
        return Promise.resolve({ status: 409, contentType: 'text/x.tlog.size', body: utf8('1\n') });
      },
    };
    expect(await join(outbound)).toMatchObject({ outcome: 'works' });
    expect(posted.map((sent) => sent.split('\n')[0])).toEqual(['old 0', 'old 1']);
    expect(posted[1]?.split('\n')[1]).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  it.each<[string, () => OutboundHttp, string]>([
    [
      'answers by another key',
      () => createWitnessOutbound([createTestWitness('w.example', 8)], () => true),
      'cosignature missing',
    ],
    ['does not know the log', () => answering({ status: 404 }), 'log not known'],
    ['knows another key of the log', () => answering({ status: 403 }), 'log key not trusted'],
    ['has seen another log', () => answering({ status: 422 }), 'tree refused'],
    [
      'signs another tree',
      () =>
        answering({
          body: utf8(witness.cosign('example.com/other\n1\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n')),
        }),
      'cosignature wrong',
    ],
    ['is not there', () => createWitnessOutbound([witness], () => false), 'no usable response'],
  ])('names why a witness that %s has not cosigned', async (_, outbound, detail) => {
    expect(await join(outbound())).toEqual({ outcome: 'failed', detail, stated_at: null });
  });
});
