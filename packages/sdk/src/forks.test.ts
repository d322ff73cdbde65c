import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createFixtureLog, type FixtureLog } from '../../../libs/domain/monitor/fixtures/fixture-log.ts';
import { AnswerEvidence, type EvidenceError } from './index.ts';
import { type FakeService, openFakeService, recordOf } from './testing/fake-service.ts';

const log = createFixtureLog();
const fork = createFixtureLog({ forkAt: 100 });
const answer = { question: 'q', answer: 'a' };

let service: FakeService;
let folder: string;
beforeEach(async () => {
  [service, folder] = await Promise.all([openFakeService(), mkdtemp(join(tmpdir(), 'ae-forks-'))]);
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Has the service respond with a receipt of this log for a leaf and a size, and show its tiles up to `held`. */
function show(of: FixtureLog, leaf: number, size: number, held = size): void {
  const read = of.serve(held);
  service.respond((response, request) => {
    const [, tile] = /^\/tlog\/demo\/(.*)$/.exec(response.req.url ?? '') ?? [];
    if (tile === undefined) {
      const ledger = { origin: of.origin, leaf_index: leaf, leaf_hash: 'b'.repeat(64), entry: of.entry(leaf) };
      const { id, hash } = JSON.parse(of.entry(leaf));
      const record = { ...recordOf(request), id, record_hash: hash, ledger, receipt: of.receipt(leaf, size) };
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(record));
    } else
      void read(tile).then((bytes) =>
        response.writeHead(bytes === undefined ? 404 : 200).end(Buffer.from(bytes ?? [])),
      );
  });
}

/** Records with a client of a new process, which remembers in the same folder. Returns its error, if it has one. */
async function record(fail: 'open' | 'closed' = 'closed'): Promise<unknown> {
  const errors: EvidenceError[] = [];
  const evidence = new AnswerEvidence({
    application: 'support-bot',
    url: service.url,
    token: 't',
    trust: log.trust(),
    checkpoints: folder,
    fail,
    onError: (error) => void errors.push(error),
  });
  try {
    const { recorded } = await evidence.record(answer);
    await recorded;
    return undefined;
  } catch (error) {
    // A program that listens to no promise hears of it all the same.
    if (fail === 'open') expect(errors).toEqual([error]);
    return error;
  } finally {
    await evidence.close(0);
  }
}

it.each(['closed', 'open'] as const)('tells an application that fails %s of a log that was forked', async (fail) => {
  show(log, 150, 200);
  expect(await record(fail)).toBeUndefined();
  show(fork, 250, 300);
  expect(await record(fail)).toMatchObject({
    name: 'VerificationError',
    code: 'receipt_inconsistent',
    given: fork.note(300),
    remembered: log.note(200),
  });
  // What was remembered stays, so that the true history is still accepted.
  show(log, 250, 300);
  expect(await record(fail)).toBeUndefined();
});

it('tells of a log that was rolled back, and cannot prove what it had signed', async () => {
  show(log, 250, 300);
  expect(await record()).toBeUndefined();
  show(log, 150, 200);
  expect(await record()).toMatchObject({
    name: 'VerificationError',
    code: 'receipt_unproven',
    given: log.note(200),
    remembered: log.note(300),
  });
});
