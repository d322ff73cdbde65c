import { describe, expect, it } from '@jest/globals';
import { parseNote, parseVkey } from '@answer-evidence/note';
import { OutboundError, type OutboundErrorKind, type OutboundResponse } from '@answer-evidence/ports';
import { FakeOutbound, silentPeer } from '@answer-evidence/testing';
import { admitCheckpoint, judgeAddCheckpoint, parseAddCheckpoint, parseTrustedLogs } from '@answer-evidence/witness';
import {
  createFixtureLog,
  createFixtureWitness,
  verifySignature,
} from '../../../../domain/witness/fixtures/fixture-log.ts';
import { askWitness } from './ask-witness.ts';

const URL_PREFIX = 'https://witness.example/w1/';
const ENDPOINT = 'https://witness.example/w1/add-checkpoint';
const log = createFixtureLog('example.com/log', 1);
const fork = createFixtureLog('example.com/log', 1, 'fork');
const honest = createFixtureWitness('witness.example/w1', 5);
const other = createFixtureWitness('other.example', 6);
const textOf = (note: string) => parseNote(note).text;
const reply = (status: number, body: string, contentType = 'text/plain'): OutboundResponse => ({
  status,
  contentType,
  body: new TextEncoder().encode(body),
});

/** A witness as the specification says, that has seen the tree of this size. */
function honestPeer(size: number) {
  let latest = { size, root: log.root(size) };
  return async ({ body }: { readonly body: Uint8Array }): Promise<OutboundResponse> => {
    const request = parseAddCheckpoint(new TextDecoder().decode(body));
    const admitted = await admitCheckpoint(request, parseTrustedLogs(log.vkey), verifySignature);
    if (admitted.kind === 'refused') return reply(admitted.status, '');
    const judged = judgeAddCheckpoint(request, latest);
    if (judged.kind === 'conflict') return reply(409, `${judged.size}\n`, 'text/x.tlog.size');
    if (judged.kind === 'refused') return reply(judged.status, '');
    latest = request.checkpoint;
    return reply(200, honest.line(request.note.text));
  };
}

function setUp(peer: Parameters<FakeOutbound['put']>[1]) {
  const outbound = new FakeOutbound();
  outbound.put(ENDPOINT, peer);
  const ask = (size: number, knownSize?: number, note = log.note(size)) =>
    askWitness(
      { outbound, verifySignature },
      {
        witness: { name: 'w1', vkey: parseVkey(honest.vkey), url: URL_PREFIX },
        note,
        knownSize,
        readProof: (from) => Promise.resolve(log.proof(from, size)),
      },
    );
  return { ask, outbound };
}

const failed = (reason: string, witnessSize?: number) => ({ kind: 'failed', reason, witnessSize });
const cosigned = (size: number) => ({
  kind: 'cosigned',
  size,
  cosignature: { witness: 'w1', vkey: honest.vkey, line: honest.line(textOf(log.note(size))) },
});

describe('askWitness', () => {
  it('brings the cosignature of a witness that is asked from the right size, at once', async () => {
    for (const [from, to] of [
      [0, 0],
      [0, 9],
      [4, 9],
      [9, 9],
    ] as const) {
      const { ask, outbound } = setUp(honestPeer(from));
      expect(await ask(to, from)).toMatchObject(cosigned(to));
      expect(outbound.sent).toHaveLength(1);
    }
  });

  it('takes no longer over a URL of slashes than over any other', async () => {
    const { outbound } = setUp(honestPeer(0));
    const witness = { name: 'w1', vkey: parseVkey(honest.vkey), url: `https://witness.example${'/'.repeat(200_000)}x` };
    const request = { witness, note: log.note(9), knownSize: 0, readProof: () => Promise.resolve([]) };
    expect(await askWitness({ outbound, verifySignature }, request)).toMatchObject({ kind: 'failed' });
  });

  it('asks again from the size that the witness names', async () => {
    for (const knownSize of [undefined, 0, 3, 9]) {
      const { ask, outbound } = setUp(honestPeer(5));
      expect(await ask(9, knownSize)).toMatchObject(cosigned(9));
      expect(outbound.sent).toHaveLength(2);
    }
  });

  it('gives up on a witness that names one size after another, and on one that refuses the size it names', async () => {
    let size = 0;
    const restless = setUp(() => reply(409, `${++size}\n`, 'text/x.tlog.size'));
    expect(await restless.ask(9)).toEqual(failed('conflict_persists', 3));
    expect(restless.outbound.sent).toHaveLength(3);
    const stubborn = setUp(() => reply(409, '5\n', 'text/x.tlog.size'));
    expect(await stubborn.ask(9)).toEqual(failed('conflict_persists', 5));
    expect(stubborn.outbound.sent).toHaveLength(2);
  });

  it('names a witness that claims a larger tree than ours, and does not ask one that has seen it', async () => {
    const ahead = setUp(() => reply(409, '10\n', 'text/x.tlog.size'));
    expect(await ahead.ask(9)).toEqual(failed('witness_ahead', 10));
    expect(ahead.outbound.sent).toHaveLength(1);
    expect(await ahead.ask(9, 10)).toEqual(failed('witness_ahead'));
    expect(ahead.outbound.sent).toHaveLength(1);
  });

  it('has a reason for every refusal', async () => {
    for (const [status, reason] of [
      [400, 'request_refused'],
      [403, 'log_key_not_trusted'],
      [404, 'log_not_known'],
      [409, 'tree_refused'],
      [422, 'tree_refused'],
      [429, 'rate_limited'],
      [500, 'witness_failing'],
      [302, 'answer_malformed'],
    ] as const) {
      expect(await setUp(() => reply(status, '')).ask(9)).toEqual(failed(reason));
    }
    expect(await setUp(honestPeer(4)).ask(9, 4, fork.note(9))).toEqual(failed('tree_refused'));
  });

  it('has one reason for every call that got no answer, whatever the port does', async () => {
    const kinds: readonly OutboundErrorKind[] = [
      'address_refused',
      'unreachable',
      'timed_out',
      'too_large',
      'malformed',
    ];
    for (const kind of kinds) {
      const { ask } = setUp(() => {
        throw new OutboundError(kind, 'no answer');
      });
      expect(await ask(9)).toEqual(failed(kind === 'address_refused' ? kind : 'no_usable_response'));
    }
  });

  it('does not ask a witness without a URL', async () => {
    const outbound = new FakeOutbound();
    const witness = { name: 'w1', vkey: parseVkey(honest.vkey), url: undefined };
    const request = { witness, note: log.note(3), knownSize: 0, readProof: () => Promise.resolve([]) };
    expect(await askWitness({ outbound, verifySignature }, request)).toEqual(failed('url_missing'));
    expect(outbound.sent).toEqual([]);
  });

  it('passes on that no proof could be read', async () => {
    const { outbound } = setUp(honestPeer(4));
    const witness = { name: 'w1', vkey: parseVkey(honest.vkey), url: URL_PREFIX };
    const readProof = () => Promise.reject(new Error('the database is unavailable'));
    const asking = askWitness({ outbound, verifySignature }, { witness, note: log.note(9), knownSize: 4, readProof });
    await expect(asking).rejects.toThrow('the database is unavailable');
  });
});

describe('a lying witness', () => {
  const ours = textOf(log.note(9));
  const forged = `${honest.line(ours).slice(0, -10)}AAAAAAAA=\n`;
  it.each([
    ['a cosignature of another history', honest.line(textOf(fork.note(9))), 'cosignature_wrong'],
    ['a cosignature of another size', honest.line(textOf(log.note(8))), 'cosignature_wrong'],
    ['a good line and a wrong one', honest.line(ours) + honest.line(textOf(fork.note(9))), 'cosignature_wrong'],
    ['the line of another key', other.line(ours), 'cosignature_missing'],
    [
      'a line of another key under its name',
      createFixtureWitness('witness.example/w1', 66).line(ours),
      'cosignature_missing',
    ],
    ['its key under another name', createFixtureWitness('second.example', 5).line(ours), 'cosignature_missing'],
    ["the log's own signature", log.note(9).slice(ours.length + 1), 'cosignature_missing'],
    ['garbage', '\u0000\u00ff{}', 'answer_malformed'],
    ['a line that is cut', forged.slice(0, 40), 'answer_malformed'],
    ['nothing', '', 'answer_malformed'],
  ])('that answers with %s is not counted, and counts again when it is honest', async (_, answer, reason) => {
    let lies = true;
    const truth = honestPeer(4);
    const { ask } = setUp((request) => (lies ? reply(200, answer) : truth(request)));
    expect(await ask(9, 4)).toEqual(failed(reason));
    lies = false;
    expect(await ask(9, 4)).toMatchObject(cosigned(9));
  });

  it('that signs under two names, or many times, is one witness', async () => {
    const twice = honest.line(ours, 1) + createFixtureWitness('second.example', 5).line(ours) + honest.line(ours, 2);
    const outcome = await setUp(() => reply(200, twice)).ask(9, 4);
    expect(outcome).toMatchObject({ kind: 'cosigned', cosignature: { line: honest.line(ours, 2), timestamp: 2 } });
  });

  it('that says nothing, or a gigabyte, is not counted, and counts again when it is honest', async () => {
    let peer: Parameters<FakeOutbound['put']>[1] = silentPeer;
    const { ask } = setUp((request) => peer(request));
    expect(await ask(9, 4)).toEqual(failed('no_usable_response'));
    peer = () => ({ status: 200, contentType: '', body: { byteLength: 2 ** 30 } as Uint8Array });
    expect(await ask(9, 4)).toEqual(failed('no_usable_response'));
    peer = honestPeer(4);
    expect(await ask(9, 4)).toMatchObject(cosigned(9));
  });
});
