import { describe, expect, it } from '@jest/globals';
import { createFixtureLog, createFixtureWitness } from '../fixtures/fixture-log.ts';
import { readWitnessAnswer } from './index.ts';

const [text = ''] = createFixtureLog('example.com/log', 1)
  .note(3)
  .split(/(?<=\n)\n/);
const line = createFixtureWitness('w.example', 9).line(text);
const read = (status: number, body = '', contentType = 'text/plain') =>
  readWitnessAnswer({ status, contentType, text: body }, text);

describe('readWitnessAnswer', () => {
  it('reads one or more signature lines', () => {
    expect(read(200, line)).toMatchObject({ kind: 'signatures', signatures: [{ name: 'w.example' }] });
    expect(read(200, line + line)).toMatchObject({ kind: 'signatures', signatures: { length: 2 } });
  });

  it('reads the size of a conflict only as what it is', () => {
    expect(read(409, '50\n', 'text/x.tlog.size')).toEqual({ kind: 'conflict', size: 50 });
    expect(read(409, '0\n', 'Text/X.tlog.size; charset=utf-8')).toEqual({ kind: 'conflict', size: 0 });
    expect(read(409, '50\n')).toEqual({ kind: 'refused', reason: 'tree_refused' });
    for (const body of ['', '50', '050\n', '-1\n', 'x']) {
      expect(read(409, body, 'text/x.tlog.size')).toEqual({ kind: 'refused', reason: 'answer_malformed' });
    }
  });

  it.each([
    [200, '', 'answer_malformed'],
    [200, line.trim(), 'answer_malformed'],
    [200, `\n${line}`, 'answer_malformed'],
    [200, '<html>', 'answer_malformed'],
    [200, line.repeat(101), 'answer_malformed'],
    [201, line, 'answer_malformed'],
    [302, '', 'answer_malformed'],
    [400, '', 'request_refused'],
    [403, '', 'log_key_not_trusted'],
    [404, '', 'log_not_known'],
    [418, '', 'answer_malformed'],
    [422, '', 'tree_refused'],
    [429, '', 'rate_limited'],
    [500, '', 'witness_failing'],
    [503, '', 'witness_failing'],
  ])('has a reason for every other answer: %d with %j', (status, body, reason) => {
    expect(read(status, body)).toEqual({ kind: 'refused', reason });
  });
});
