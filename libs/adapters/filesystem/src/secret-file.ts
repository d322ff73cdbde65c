import { type FileHandle, link, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EncodingError, formatBase64, parseBase64 } from '@answer-evidence/encoding';
import { errorCode } from './error-code.ts';
import { openOwnFile } from './open-own-file.ts';
import { createDraft, syncDirectory } from './write-file-atomically.ts';

/**
 * The secret in a file (base64, mode 0600), made by `create` when there is none. Of several starters one makes it and
 * all get the same: a finished draft is linked to its name, which fails when the name is there, so no starter ever
 * reads half a secret and no crash leaves one. Refuses a file that others can read. Errors never quote the file.
 */
export async function readOrCreateSecretFile(
  path: string,
  create: () => Uint8Array,
): Promise<{ readonly secret: Uint8Array; readonly created: boolean }> {
  const known = await findSecretFile(path);
  if (known !== undefined) return { secret: known, created: false };
  const secret = create();
  if (secret.length === 0) throw new Error(`the secret for ${path} is empty`);
  const created = await linkSecret(path, secret);
  // Also by the one who came second: its secret may be used before the winner made the name durable.
  await syncDirectory(dirname(path));
  if (created) return { secret, created };
  const winners = await findSecretFile(path);
  if (winners === undefined) throw new Error(`${path} existed and is gone; start again`);
  return { secret: winners, created };
}

/** Whether this call gave the file its content; false when the name was taken. */
async function linkSecret(path: string, secret: Uint8Array): Promise<boolean> {
  const draft = await createDraft(path, `${formatBase64(secret)}\n`, 0o600);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** The secret in a file, undefined when there is no such file. Refuses a file that others can read. */
export async function findSecretFile(path: string): Promise<Uint8Array | undefined> {
  let file: FileHandle;
  try {
    file = await openOwnFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ELOOP')
      throw new Error(`${path} is a link; put the file itself in its place`, { cause: error });
    throw error;
  }
  try {
    const { mode } = await file.stat();
    if ((mode & 0o077) !== 0) throw new Error(`${path} can be read by other users; run: chmod 600 ${path}`);
    return parseSecret(path, await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

function parseSecret(path: string, text: string): Uint8Array {
  try {
    const secret = parseBase64(text.trim());
    if (secret.length > 0) return secret;
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
  }
  throw new Error(`${path} does not hold a base64 secret; restore it from a backup`);
}
