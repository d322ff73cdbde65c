import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findSecretFile, syncDirectory } from '@answer-evidence/filesystem';
import type { Config } from '../ground/config.ts';

/** Where the embedded default keeps its master key. */
export function masterKeyFile(config: Config): string {
  return join(config.SERVICE_DATA_DIR, 'master.key');
}

/** Where a new master key stands until everything is wrapped by it. */
export function newMasterKeyFile(config: Config): string {
  return join(config.SERVICE_DATA_DIR, 'master.key.new');
}

/** The new master key of a change that was begun, undefined when there is none. */
export function findNewMasterKey(config: Config): Promise<Uint8Array | undefined> {
  return findSecretFile(newMasterKeyFile(config));
}

/**
 * Puts the new key in the place of the one before, which stays beside it: backups from before need it. Each step can be
 * repeated after a crash, and at every moment the key in force is in one of the two files. Returns where the old one is
 * now.
 */
export async function promoteNewMasterKey(config: Config): Promise<string | undefined> {
  const retired = await retireMasterKey(config);
  await rename(newMasterKeyFile(config), masterKeyFile(config));
  await syncDirectory(dirname(masterKeyFile(config)));
  return retired;
}

/** Keeps the key file under another name as well, made of the key's fingerprint; undefined when there is none. */
async function retireMasterKey(config: Config): Promise<string | undefined> {
  const file = masterKeyFile(config);
  const secret = existsSync(file) ? await findSecretFile(file) : undefined;
  if (secret === undefined) return undefined;
  const retired = `${file}.retired-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`;
  if (!existsSync(retired)) await link(file, retired);
  await syncDirectory(dirname(file));
  return retired;
}

/** Takes a key file that is no longer in force out of the way. Returns where it is now. */
export async function setMasterKeyAside(config: Config): Promise<string | undefined> {
  const retired = await retireMasterKey(config);
  if (retired !== undefined) await rename(masterKeyFile(config), retired);
  return retired;
}
