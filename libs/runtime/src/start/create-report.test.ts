import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { createReport } from './create-report.ts';

it('a report that cannot be written ends nothing, and how many there were is said once one can be', async () => {
  const lines: string[] = [];
  let isFull = false;
  const output = new Writable({
    // As the standard streams of a process, which outlive an error.
    autoDestroy: false,
    emitClose: false,
    write(chunk: Buffer, _, done) {
      if (isFull) return done(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
      lines.push(chunk.toString());
      done();
    },
  });
  const standard = {
    on: output.on.bind(output),
    write: (line: string, told: (error?: Error | null) => void) => {
      output._write(Buffer.from(line), 'utf8', told);
      return true;
    },
  };
  const report = createReport('witness', standard as unknown as Writable);
  report('ready');
  isFull = true;
  for (const line of ['one', 'two', 'three']) report(line);
  expect(() => output.emit('error', new Error('no space'))).not.toThrow();
  isFull = false;
  report('room again');
  report('more');
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines.map((line) => line.trimEnd())).toEqual([
    'witness: ready',
    'witness: room again',
    'witness: 3 lines could not be written here before this one',
    'witness: more',
  ]);
});
