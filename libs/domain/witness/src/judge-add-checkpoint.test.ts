import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import { createFixtureLog, createFixtureSigner, verifySignature } from '../fixtures/fixture-log.ts';
import { admitCheckpoint, judgeAddCheckpoint, parseAddCheckpoint, parseTrustedLogs } from './index.ts';

const log = createFixtureLog('example.com/log', 1);
const fork = createFixtureLog('example.com/log', 1, 'fork');
const stranger = createFixtureLog('stranger.example', 2);
const logs = parseTrustedLogs(log.vkey);

const at = (size: number) => ({ size, root: log.root(size) });
const judge = (body: string, latest: number) => judgeAddCheckpoint(parseAddCheckpoint(body), at(latest));
const refused = (status: number) => expect.objectContaining({ kind: 'refused', status });

describe('judgeAddCheckpoint', () => {
  it('cosigns every tree that extends the latest, and no other of that size', () => {
    const sizes = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
    fc.assert(
      fc.property(sizes, ([from, to]) => {
        expect(judge(log.request(from, to), from)).toEqual({ kind: 'cosign' });
        fc.pre(from > 0);
        // The other history, with its own proof or with the honest one.
        const refusal = from === to ? expect.objectContaining({ kind: 'fork' }) : refused(422);
        expect(judge(fork.request(from, to), from)).toEqual(refusal);
        expect(judge(fork.request(from, to, { proof: log.proof(from, to) }), from)).toEqual(refusal);
      }),
    );
  });

  it('never cosigns with a bit of the proof changed, a hash left out, or one added', () => {
    const proof = log.proof(5, 29);
    fc.assert(
      fc.property(fc.nat(proof.length - 1), fc.nat(255), (which, bit) => {
        const altered = proof.map((hash, i) =>
          i === which ? hash.map((byte, j) => (j === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)) : hash,
        );
        expect(judge(log.request(5, 29, { proof: altered }), 5)).toEqual(refused(422));
        expect(judge(log.request(5, 29, { proof: proof.toSpliced(which, 1) }), 5)).toEqual(refused(422));
        expect(judge(log.request(5, 29, { proof: proof.toSpliced(which, 0, log.root(1)) }), 5)).toEqual(refused(422));
      }),
    );
  });

  it('says which size is the latest when the request is from another, also from none', () => {
    expect(judge(log.request(4, 9), 7)).toEqual({ kind: 'conflict', size: 7 });
    expect(judge(log.request(0, 9), 7)).toEqual({ kind: 'conflict', size: 7 });
    expect(judgeAddCheckpoint(parseAddCheckpoint(log.request(4, 9)), undefined)).toEqual({ kind: 'conflict', size: 0 });
    expect(judgeAddCheckpoint(parseAddCheckpoint(log.request(0, 9)), undefined)).toEqual({ kind: 'cosign' });
  });

  it('never goes back to a smaller tree', () => {
    expect(judge(log.request(4, 6), 7)).toEqual({ kind: 'conflict', size: 7 });
    expect(judge(log.request(6, 6, { oldSize: 7 }), 7)).toEqual(refused(400));
  });

  it('takes no proof where there is nothing to prove', () => {
    const proof = [log.root(1)];
    expect(judge(log.request(0, 5, { proof }), 0)).toEqual(refused(422));
    expect(judge(log.request(5, 5, { proof }), 5)).toEqual(refused(422));
    expect(judge(log.request(0, 0, { proof }), 0)).toEqual(refused(422));
  });

  it('takes the tree of size 0 with its one root only', () => {
    expect(judge(log.request(0, 0), 0)).toEqual({ kind: 'cosign' });
    const wrong = log
      .request(0, 0)
      .replace(Buffer.from(EMPTY_ROOT).toString('base64'), Buffer.alloc(32).toString('base64'));
    expect(judge(wrong, 0)).toEqual(refused(422));
  });
});

describe('admitCheckpoint', () => {
  const admit = (body: string) => admitCheckpoint(parseAddCheckpoint(body), logs, verifySignature);
  const body = log.request(0, 3);
  const otherSignature = stranger.note(3).split('\n').at(-2) ?? '';

  it('keeps the signatures of the log, each key once, and none of others', async () => {
    const own = log.note(3).split('\n').at(-2) ?? '';
    const admitted = await admit(`${body}${otherSignature}\n${own}\n`);
    expect(admitted).toMatchObject({ kind: 'admitted', signatures: [{ name: log.origin }] });
  });

  it('refuses an unknown log with 404, and what its key has not signed with 403', async () => {
    expect(await admit(stranger.request(0, 3))).toEqual(refused(404));
    const { vkey } = createFixtureSigner(log.origin, 0x01, 99);
    expect(vkey.name).toBe(log.origin);
    const impostor = createFixtureLog(log.origin, 99);
    expect(await admit(impostor.request(0, 3))).toEqual(refused(403));
    expect(await admit(body.replace(/\n3\n/, '\n4\n'))).toEqual(refused(403));
    expect(await admit(`${body.slice(0, body.lastIndexOf('\u2014'))}${otherSignature}\n`)).toEqual(refused(403));
  });

  it('refuses a checkpoint on which one of two signatures in the name of its key is wrong', async () => {
    const wrong = log.note(4).split('\n').at(-2) ?? '';
    expect(await admit(`${body}${wrong}\n`)).toEqual(refused(403));
  });

  it('takes extension lines, which the log has signed along', async () => {
    const signer = createFixtureSigner(log.origin, 0x01, 1);
    const text = `${log.note(3).split('\n\n')[0]}\nextension 1\n`;
    const line = Buffer.concat([signer.vkey.id, signer.sign(text)]).toString('base64');
    const admitted = await admit(`old 0\n\n${text}\n\u2014 ${log.origin} ${line}\n`);
    expect(admitted).toMatchObject({ kind: 'admitted' });
  });
});
