import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from './config.ts';
import { readSecretFiles, SECRET_SETTINGS } from './secret-files.ts';
import { StartError } from './start-error.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-secrets-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, text);
  return file;
}

describe('a secret in a file', () => {
  it.each(SECRET_SETTINGS)('takes the place of %s, with and without a line break at its end', async (name) => {
    for (const end of ['', '\n', '\r\n']) {
      const file = await fileOf(` a secret=${end}`);
      expect(readSecretFiles({ [`${name}_FILE`]: file, OTHER: 'x' })[name]).toBe(' a secret=');
    }
    expect(readSecretFiles({ [name]: 'a', [`${name}_FILE`]: '', OTHER: 'x' })).toMatchObject({
      [name]: 'a',
      OTHER: 'x',
    });
  });

  it('is a setting as any other', async () => {
    const url = 'postgres://owner:secret@db/ledger';
    expect(parseConfig(readSecretFiles({ DATABASE_URL_FILE: await fileOf(`${url}\n`) })).DATABASE_URL).toBe(url);
    const wrong = { DATABASE_URL_FILE: await fileOf('the secret') };
    expect(() => parseConfig(readSecretFiles(wrong))).toThrow(/^DATABASE_URL must be a URL(?!.*secret)/);
  });

  it('is refused beside the variable, where it cannot be read, and where it is empty', async () => {
    const name = 'S3_SECRET_KEY_FILE';
    const file = await fileOf('\n');
    for (const [environment, message] of [
      [{ [name]: file, S3_SECRET_KEY: 'a' }, `S3_SECRET_KEY and ${name} are both set; unset one of them`],
      [
        { [name]: `${file}.no` },
        `${name} names ${file}.no, which cannot be read (ENOENT); correct the path or its mode`,
      ],
      [{ [name]: folder }, `${name} names ${folder}, which cannot be read (EISDIR); correct the path or its mode`],
      [{ [name]: file }, `${name} names ${file}, which is empty; write the secret into it`],
    ] as const)
      expect(() => readSecretFiles(environment)).toThrow(new StartError(message));
  });
});
