import { expect, it } from '@jest/globals';
import { parseEntry } from '@answer-evidence/commitments';
import { createMachine, log } from '../fixtures/monitored-machine.ts';
import { RECORD } from '../testing/samples.ts';

const LEAF = 3;
const { id, hash } = parseEntry(log.entry(LEAF));
const RECEIPT = log.receipt(LEAF, 8);
const ledger = { ...RECORD.ledger, origin: log.origin, leaf_index: LEAF, entry: log.entry(LEAF) };
/** A response to a create, as it was kept. */
const record = { ...RECORD, id, record_hash: hash, ledger, receipt: RECEIPT, events: [] };
const request = {
  application_key: 'support-bot',
  idempotency_key: 'msg-1',
  question: { text: 'Which plan?' },
  answer: { hash: record.answer.hash },
};
const other = id.replace(/3$/, '4');

/** What the monitor says of a folder with these files. */
async function look(files: Readonly<Record<string, unknown>>) {
  const kept = Object.entries(files).map(([name, value]) => [`/kept/${name}`, JSON.stringify(value)] as const);
  const { exitCode, reports } = await createMachine({ files: Object.fromEntries(kept) }).look('--receipts', '/kept');
  return { exitCode, details: reports[0]?.findings.map(({ detail }) => detail) };
}

it('accepts a response that is about its entry, and about the request kept beside it', async () => {
  expect(await look({ 'a.json': record })).toEqual({ exitCode: 0, details: [] });
  expect(await look({ 'a.json': record, 'a.request.json': request })).toEqual({ exitCode: 0, details: [] });
  const { idempotency_key: _random, ...keyless } = request;
  expect(await look({ 'a.json': record, 'a.request.json': keyless })).toEqual({ exitCode: 0, details: [] });
});

it.each([
  ['the record of another id', { ...record, id: other }, 'its own entry or texts: /ledger/entry differs'],
  [
    'another hash',
    { ...record, record_hash: hash.replace(/.$/, '0') },
    'its own entry or texts: /ledger/entry differs',
  ],
  [
    'another text',
    { ...record, question: { ...record.question, text: 'Another?' } },
    'its own entry or texts: /question/text differs',
  ],
  ['an asset of another id', { id: other, ledger, receipt: RECEIPT }, 'its own entry: /id differs'],
  [
    'a bundle with another core',
    { record: { entry: ledger.entry, proof: RECEIPT, core: { id: other } } },
    'its own entry: /core differs',
  ],
])('reports a valid receipt that was kept with %s', async (_, kept, words) => {
  const { exitCode, details } = await look({ 'a.json': kept });
  expect(exitCode).toBe(11);
  expect(details).toEqual([expect.stringContaining(`does not hold: it is not about ${words}`)]);
});

it.each([
  ['another answer', { answer: { text: 'The large one.' } }, '/answer/hash differs'],
  ['another key', { idempotency_key: 'msg-2' }, '/idempotency_key differs'],
  ['another application', { application_key: 'sales-bot' }, '/application_key differs'],
])('reports a valid receipt of %s than the request beside it', async (_, change, words) => {
  const files = { 'a.json': record, 'a.request.json': { ...request, ...change } };
  const { exitCode, details } = await look(files);
  expect(exitCode).toBe(11);
  expect(details).toEqual([expect.stringContaining(`it is not about the request kept beside it: ${words}`)]);
});

it('reports a request that cannot be read', async () => {
  const { details } = await look({ 'a.json': record, 'a.request.json': 'none' });
  expect(details).toEqual([expect.stringContaining('the request kept beside it is not the body of a create')]);
});
