import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of secrets for docker-compose.yml. */
function createSecrets(): Readonly<Record<string, string>> {
  const [owner, redis] = [newPassword(), newPassword()];
  return {
    database_url: `postgres://answer_evidence:${owner}@postgres:5432/answer_evidence`,
    master_key: randomBytes(32).toString('base64'),
    minio_root_password: newPassword(),
    minio_root_user: randomBytes(10).toString('hex'),
    // The superuser's, which the service does not have.
    postgres_password: newPassword(),
    redis_conf: [`requirepass ${redis}`, 'appendonly yes', 'maxmemory-policy noeviction', 'dir /data'].join('\n'),
    redis_password: redis,
    redis_url: `redis://:${redis}@redis:6379`,
    s3_access_key: randomBytes(10).toString('hex'),
    s3_secret_key: newPassword(),
  };
}

/**
 * Writes the secrets into a folder that only its owner enters. Containers get each file by itself, as users of their
 * own, so the files may be read by all. All of them appear at once. Returns false, and changes nothing, where the
 * folder has files: their loss would be that of all records.
 */
export async function writeSecrets(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) return false;
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  for (const [name, secret] of Object.entries(createSecrets())) {
    const file = await open(join(draft, name), 'wx', 0o444);
    await file.writeFile(`${secret}\n`);
    await file.sync();
    await file.close();
    // Whatever the umask has taken away.
    await chmod(join(draft, name), 0o444);
  }
  await rename(draft, folder);
  return true;
}

function newPassword(): string {
  return randomBytes(24).toString('hex');
}
