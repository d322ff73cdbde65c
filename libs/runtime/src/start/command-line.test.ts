import { describe, expect, it } from '@jest/globals';
import { endingOf } from './command-line.ts';

describe('endingOf', () => {
  it('is none for a service that is called as it is', () => {
    expect(endingOf([], 'help')).toBeUndefined();
  });

  it('is the help where anything asks for it', () => {
    for (const args of [['--help'], ['-h'], ['--port', '1', '--help']])
      expect(endingOf(args, 'help')).toEqual({ exitCode: 0, text: 'help' });
  });

  it('names an argument that nothing reads, without its value', () => {
    const ending = endingOf(['--token=secret'], 'help');
    expect(ending?.exitCode).toBe(2);
    expect(ending?.text).toMatch(/^unknown argument --token; set environment variables instead/);
  });
});
