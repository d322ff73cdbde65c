import { openTestDatabase, startTestRedis, startTestS3 } from '@answer-evidence/testing';
import setUpRun, { closers } from '../../libs/testing/src/jest-global-setup.ts';
import { makeBucket, openSplitInstallation } from './split-installation.ts';
import { splitVariable } from './split-place.ts';

/** As for every run, and with one split installation on a real Redis and a real S3 server, which all files share. */
export default async function setUp(): Promise<void> {
  await setUpRun();
  const [redis, s3, database] = await Promise.all([startTestRedis(), startTestS3(), openTestDatabase()]);
  // The newest is closed first.
  closers.push(
    () => redis.close(),
    () => s3.close(),
    () => database.close(),
  );
  const stores = { databaseUrl: database.url, redisUrl: redis.url, bucket: await makeBucket(s3) };
  const installation = await openSplitInstallation(stores);
  closers.push(async () => {
    delete process.env[splitVariable];
    await installation.close();
  });
  const { databaseUrl, environment, url } = installation;
  process.env[splitVariable] = JSON.stringify({ url, databaseUrl, environment });
}
