import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { readServerLog } from './read-server-log.ts';

it('tells each line, and keeps the last ones', async () => {
  const [stderr, told]: [PassThrough, string[]] = [new PassThrough(), []];
  const tail = readServerLog(stderr, (line) => told.push(line));
  const said = Array.from({ length: 25 }, (_, n) => `line ${n}`);
  stderr.end(`${said.join('\n')}\n`);
  while (told.length < said.length) await setImmediate();
  expect(told).toEqual(said);
  expect(tail().split('\n')).toEqual(said.slice(5));
});

it('counts what fails, says so, ends nothing, and reads on where there is more', async () => {
  const [stderr, told]: [PassThrough, string[]] = [new PassThrough(), []];
  const tail = readServerLog(stderr, (line) => told.push(line));
  stderr.write('before\n');
  for (const word of ['EIO', 'EPIPE']) stderr.emit('error', new Error(word));
  stderr.write('after\n');
  while (!told.includes('after')) await setImmediate();
  const failed = (n: number, word: string) => `what the server says cannot be read (failure ${n}): ${word}`;
  expect(told.toSorted()).toEqual(['after', 'before', failed(1, 'EIO'), failed(2, 'EPIPE')]);
  expect(tail()).toContain(failed(2, 'EPIPE'));
  stderr.destroy(new Error('gone'));
  while (told.length < 5) await setImmediate();
  expect(told.at(-1)).toBe(failed(3, 'gone'));
});
