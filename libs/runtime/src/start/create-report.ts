import type { Writable } from 'node:stream';
import type { Report } from '../ground/report.ts';

/**
 * Reports of a program, one line each. A line that cannot be written, such as on a full disk, ends nothing and is
 * counted; once a line can be written again, the next one says how many were lost.
 */
export function createReport(program: string, output: Pick<Writable, 'write' | 'on'>): Report {
  let lost = 0;
  // Without a listener, the error would end the process.
  output.on('error', () => undefined);
  function write(line: string): void {
    output.write(`${program}: ${line}\n`, (error) => {
      if (error) {
        lost += 1;
        return;
      }
      if (lost === 0) return;
      const before = lost;
      lost = 0;
      write(`${before} lines could not be written here before this one`);
    });
  }
  return write;
}
