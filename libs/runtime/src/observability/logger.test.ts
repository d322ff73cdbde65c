import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { LogKeyError } from '@answer-evidence/ports';
import { describeError } from './describe-error.ts';
import { createLogger } from './logger.ts';

function createLines() {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } }) };
}

function parseLine(line: string | undefined): unknown {
  return JSON.parse(line ?? '');
}

describe('a log line', () => {
  it('is one JSON object with a level and a time in words', () => {
    const { lines, logger } = createLines();
    logger.info({ port: 1 }, 'listening');
    logger.debug('not logged');
    expect(lines).toHaveLength(1);
    expect(parseLine(lines[0])).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      port: 1,
      msg: 'listening',
    });
  });

  it.each(['authorization', 'token', 'secret', 'password', 'headers', 'body', 'text', 'url', 'cookie'])(
    'never shows what stands under %s',
    (name) => {
      const { lines, logger } = createLines();
      logger.info({ [name]: 'marker', inner: { [name]: 'marker' } }, 'x');
      expect(lines[0]).not.toContain('marker');
      expect(lines[0]).toContain('[redacted]');
    },
  );

  it('never shows the message of an error that is not ours, however it is logged', () => {
    const { lines, logger } = createLines();
    const error = new Error('marker\n    at marker (marker:1)', { cause: new TypeError('marker') });
    logger.error(error);
    logger.error(error, 'failed');
    logger.error({ err: error });
    logger.error({ error }, 'failed');
    logger.error({ err: { marker: 1 }, error: 'a marker' });
    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toContain('marker');
    expect(lines[0]).toContain('logger.test.ts');
    expect(lines[0]).toContain('"name":"TypeError"');
  });
});

describe('the description of an error', () => {
  it('keeps message and code of our own error, and codes of systems', () => {
    const cause = Object.assign(new Error('row: marker'), { code: '23505', detail: 'marker', where: 'marker' });
    const described = describeError(new ServiceError('ledger_unavailable', 'no answer', { cause }));
    expect(described).toMatchObject({
      name: 'ServiceError',
      code: 'ledger_unavailable',
      message: 'no answer',
      cause: { name: 'Error', code: '23505' },
    });
    expect(JSON.stringify(described)).not.toContain('marker');
  });

  it('says why a key of a log does not sign, which only the operator can change', () => {
    const cause = new LogKeyError('refused', 'the token "evidence" (PKCS#11): the PIN is wrong');
    const described = describeError(new ServiceError('receipt_unavailable', 'not signed yet', { cause }));
    expect(described.cause).toMatchObject({ name: 'LogKeyError', message: cause.message });
  });

  it('drops names and codes that are none, and ends in a circle of causes', () => {
    const error = Object.assign(new Error('x'), { code: 'a marker', name: 'a marker' });
    error.cause = error;
    const described = describeError(error);
    expect(JSON.stringify(described)).not.toContain('marker');
    expect(described.cause?.cause?.cause?.cause).toBeUndefined();
    expect(describeError(7)).toEqual({ name: 'number', frames: [] });
    expect(describeError('AbortError')).toEqual({ name: 'AbortError', frames: [] });
  });

  it('keeps the word by which Redis names an error, and nothing that follows it', () => {
    const replied = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
    expect(describeError(replied("CROSSSLOT Keys in request don't hash to the same slot")).code).toBe('CROSSSLOT');
    expect(describeError(replied('MISCONF Redis is configured to save RDB snapshots')).code).toBe('MISCONF');
    expect(describeError(replied('SECRETWORD of a script')).code).toBeUndefined();
    expect(describeError(new Error('OOM of somebody else')).code).toBeUndefined();
  });
});
