import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeAws, openFakeAws, withVariables } from '@answer-evidence/testing';
import { runOperator } from '../operator/run-operator.ts';
import { unwrapMasterKeys } from './wrapped-master-key.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
let aws: FakeAws;
let folder: string;
beforeEach(async () => {
  aws = await openFakeAws({ lifetimeMs: 3_600_000 });
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-wrapped-'));
});
afterEach(async () => {
  await aws.close();
  await rm(folder, { recursive: true });
});

/** As in a container of ECS, whose role may use the key. */
const withRole = <T>(action: () => Promise<T>): Promise<T> =>
  withVariables(
    {
      AWS_CONFIG_FILE: '/nowhere',
      AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_KMS: aws.url,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/v2/credentials/task`,
    },
    action,
  );

async function operate(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = {
    environment: { SERVICE_DATA_DIR: join(folder, 'data'), ...environment },
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
  };
  return { code: await runOperator(args, surroundings), out, err: err.join('\n') };
}
const wrap = (environment: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  operate(['master-key-wrap', '--by', 'aws-kms:alias/evidence', ...more], environment);

describe('a master key under a key of KMS', () => {
  it('is what it was when a process starts, from a variable or a file, by the role of the process', async () => {
    await withRole(async () => {
      const { code, out, err } = await wrap({ SERVICE_MASTER_KEY: KEY });
      const [text = ''] = out;
      expect([code, out.length]).toEqual([0, 1]);
      expect(text).toMatch(/^aws-kms:alias\/evidence#[A-Za-z0-9+/]+=*$/);
      expect(err + text).not.toContain(KEY);
      expect(await unwrapMasterKeys({ SERVICE_MASTER_KEY_WRAPPED: text, OTHER: 'x' })).toEqual({
        SERVICE_MASTER_KEY: KEY,
        OTHER: 'x',
      });
      await writeFile(join(folder, 'wrapped'), `${text}\n`);
      const opened = await unwrapMasterKeys({
        SERVICE_MASTER_KEY_WRAPPED_FILE: join(folder, 'wrapped'),
        SERVICE_NEW_MASTER_KEY_WRAPPED: text,
      });
      expect(opened).toEqual({ SERVICE_MASTER_KEY: KEY, SERVICE_NEW_MASTER_KEY: KEY });
      const [again = ''] = (await wrap({ SERVICE_MASTER_KEY_WRAPPED: text })).out;
      expect(again).not.toBe(text);
      expect(await unwrapMasterKeys({ SERVICE_MASTER_KEY_WRAPPED: again })).toEqual({ SERVICE_MASTER_KEY: KEY });
      expect(aws.asked.some((line) => /^kms by ASIATASK/.test(line))).toBe(true);
    });
  });

  it('is made new for a new installation alone', async () => {
    await withRole(async () => {
      const [first, second] = [await wrap({}, '--new'), await wrap({}, '--new')];
      const keys = await Promise.all(
        [first, second].map(({ out: [text = ''] }) => unwrapMasterKeys({ SERVICE_MASTER_KEY_WRAPPED: text })),
      );
      for (const { SERVICE_MASTER_KEY: key = '' } of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32);
      expect(keys[0]).not.toEqual(keys[1]);
      expect(await wrap({ SERVICE_MASTER_KEY: KEY }, '--new')).toMatchObject({
        code: 2,
        out: [],
        err: expect.stringContaining('there is a master key; leave --new out to wrap it'),
      });
      expect(await wrap({})).toMatchObject({ code: 2, err: expect.stringContaining('or make one with --new') });
    });
  });

  it('is refused in a sentence that says what to do, without a secret', async () => {
    await withRole(async () => {
      const [text = ''] = (await wrap({ SERVICE_MASTER_KEY: KEY })).out;
      const altered = text.replace(/#(.)/, (_, sign: string) => (sign === 'A' ? '#B' : '#A'));
      const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
        [{ SERVICE_MASTER_KEY_WRAPPED: altered }, /alias\/evidence: what is wrapped is not of this key and purpose/],
        [
          { SERVICE_MASTER_KEY_WRAPPED: text.replace('alias/evidence', 'alias/other') },
          /alias\/other: there is no such key in this account and region/,
        ],
        [
          { SERVICE_MASTER_KEY_WRAPPED: text, SERVICE_MASTER_KEY: KEY },
          /SERVICE_MASTER_KEY and SERVICE_MASTER_KEY_WRAPPED are both set; unset one of them/,
        ],
        [
          { SERVICE_MASTER_KEY_WRAPPED: KEY },
          /SERVICE_MASTER_KEY_WRAPPED must be what npm run operator -- master-key-wrap prints/,
        ],
      ];
      for (const [environment, sentence] of cases) {
        const { code, err } = await operate(['doctor'], environment);
        expect(err).toMatch(sentence);
        expect([code, err.includes(KEY)]).toEqual([2, false]);
      }
      aws.setLifetimeMs(-1);
      const ended = await operate(['doctor'], { SERVICE_MASTER_KEY_WRAPPED: text });
      expect(ended.err).toMatch(/the credentials of this process have ended/);
    });
    expect((await operate(['master-key-wrap', '--by', 'vault:x'], {})).err).toContain('--by must be aws-kms:');
  });
});
