import { findFreePort, openTestDatabase, startTestRedis, startTestS3 } from '@answer-evidence/testing';
import setUpRun, { closers } from '../../libs/testing/src/jest-global-setup.ts';
import { SPLIT_ROLES, type SplitRole } from '../../tools/proxy/routing-table.ts';
import { until } from '../../tools/scenery/service-process.ts';
import { makeBucket, openSplitInstallation, type SplitInstallation } from '../../tools/scenery/split-installation.ts';
import { type SharedSplitPlace, splitVariable } from '../../tools/scenery/split-place.ts';
import { builtConsole } from './console.ts';

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
  const installation = await openSplitInstallation(stores, {
    environment: {
      ...SHARED_SETTINGS,
      // Where the one file that is about mail has its server.
      SERVICE_SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}`,
      SERVICE_CONSOLE_DIR: await builtConsole(),
    },
  });
  closers.push(async () => {
    delete process.env[splitVariable];
    await installation.close();
  });
  process.env[splitVariable] = JSON.stringify(await describePlace(installation));
}

/** What tests ask of a service; those that ask for the same can have this one. */
const SHARED_SETTINGS = {
  SERVICE_SMTP_FROM: 'evidence@example.com',
  SERVICE_OTLP_GRPC_PORT: '0',
  SERVICE_OTLP_WAIT_SECONDS: '5',
  SERVICE_OTLP_BODY_BYTES_MAX: '200000',
};

async function describePlace(installation: SplitInstallation): Promise<SharedSplitPlace> {
  const { databaseUrl, environment, url } = installation;
  const processOf = (role: SplitRole) => {
    const [process] = installation.of(role);
    if (process === undefined) throw new Error(`${role} is not there`);
    return process.current();
  };
  const portIn = async (role: SplitRole, words: string): Promise<number> => {
    let port: string | undefined;
    await until(`${role} to say its port`, () => {
      port = new RegExp(`${words} at port (\\d+)`).exec(processOf(role).stderr.join('\n'))?.[1];
      return port !== undefined;
    });
    return Number(port);
  };
  const ofEach = async (read: (role: SplitRole) => Promise<string>) =>
    Object.fromEntries(await Promise.all(SPLIT_ROLES.map(async (role) => [role, await read(role)] as const)));
  return {
    ...{ url, databaseUrl, environment },
    addresses: (await ofEach((role) => processOf(role).ready)) as SharedSplitPlace['addresses'],
    metricsUrls: (await ofEach(
      async (role) => `http://127.0.0.1:${await portIn(role, 'metrics')}`,
    )) as SharedSplitPlace['metricsUrls'],
    grpcPort: await portIn('otlp-ingester', 'OTLP over gRPC'),
  };
}
