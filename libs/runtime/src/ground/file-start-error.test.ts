import { describe, expect, it } from '@jest/globals';
import { fileStartError } from './file-start-error.ts';
import { StartError } from './start-error.ts';

const refused = (code: string, more: object = {}) => Object.assign(new Error('refused'), { code, ...more });

describe('what the operating system refuses at a start', () => {
  it.each([
    [
      refused('ENOSPC', { syscall: 'write' }),
      'there is no space for a file of the data folder (ENOSPC); free space on',
    ],
    [refused('EDQUOT', { path: '/data/heads' }), 'there is no space for /data/heads (EDQUOT); free space on its disk'],
    [refused('EACCES', { path: '/data/heads' }), '/data/heads cannot be used (EACCES); give the user who runs'],
  ])('is told in one sentence: %s', (error, said) => {
    const told = fileStartError(error);
    expect(told).toBeInstanceOf(StartError);
    expect(told).toMatchObject({ message: expect.stringContaining(said), cause: error });
  });

  it('is told apart from a fault of the program, from sockets, and from what has been told', () => {
    const others = [
      new StartError('told'),
      new TypeError('a fault'),
      refused('EACCES', { address: '::' }),
      'text',
      null,
    ];
    for (const error of others) expect(fileStartError(error)).toBe(error);
  });
});
