import { join } from 'node:path';
import { openWitnessedCheckpoints } from '@answer-evidence/filesystem';
import { createHttpApp, createRequestLimits, parseRateLimits, parseTrustedProxies } from '@answer-evidence/http-edge';
import { systemClock, verifySignature } from '@answer-evidence/node-crypto';
import { formatVkey } from '@answer-evidence/note';
import { createWitnessStage } from '@answer-evidence/stage-witness';
import { baseUrlOf } from '../ground/addresses.ts';
import { assertDataDir } from '../ground/assert-data-dir.ts';
import { bareFolders } from '../ground/bare-folders.ts';
import type { Report } from '../ground/report.ts';
import { runTickers } from '../ground/run-tickers.ts';
import { FolderWatch } from '../observability/folder-watch.ts';
import { openLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createOperationsHandler } from '../observability/operations-handler.ts';
import { listen, listenForApi } from '../start/listen.ts';
import type { RunningService } from '../start/start-service.ts';
import { openWitnessKeys } from './open-witness-keys.ts';
import { readTrustedLogs } from './read-trusted-logs.ts';
import type { WitnessOptions } from './witness-options.ts';

/** Opens a witness, with a folder and no database, and listens. Throws `StartError` for what a person can fix. */
export async function openWitness(options: WitnessOptions, report: Report): Promise<RunningService> {
  const { config } = options;
  const logs = await readTrustedLogs(options.vkeys, options.logsFile);
  await assertDataDir(config);
  const folder = join(config.SERVICE_DATA_DIR, 'witness');
  const checkpoints = await openWitnessedCheckpoints(join(folder, 'checkpoints'));
  const keys = await openWitnessKeys(folder, options.name);
  for (const { file, created } of keys)
    if (created) report(`created a key for this witness in ${file}; back up ${folder} as a whole`);
  const [ed25519, ...others] = keys.map(({ vkey }) => formatVkey(vkey));
  report(`witness key: ${ed25519}`);
  for (const vkey of others) report(`witness key of ML-DSA-44: ${vkey}`);
  report(`watching ${[...logs.keys()].join(', ')}`);

  const { logger, ...log } = openLogger(config.SERVICE_LOG_LEVEL);
  const metrics = createMetrics(log);
  const folders = new FolderWatch(bareFolders(config));
  folders.register(metrics.registry);
  for (const sentence of await folders.look()) report(`warning: ${sentence}`);
  const stage = createWitnessStage({
    logs,
    checkpoints,
    keys,
    verifySignature,
    clock: systemClock,
    onFork: (origin) => {
      logger.error({ origin }, 'a log has signed two trees of one size; the witness folder has the proof');
    },
  });
  const { handler } = createHttpApp({
    routes: stage.routes,
    // All routes are public: a checkpoint is let in by its own signature.
    authenticator: { authenticate: () => Promise.resolve(undefined), wasGood: () => false },
    hosts: { findSlug: () => undefined, assertHost: () => undefined },
    limits: createRequestLimits({
      limits: parseRateLimits(config.SERVICE_RATE_LIMITS),
      trustedProxies: parseTrustedProxies(config.SERVICE_TRUSTED_PROXIES),
    }),
    logger,
    metrics: metrics.http,
    onUndocumented:
      config.SERVICE_CHECK_REPLIES === 'on' ? (fault) => report(`undocumented reply: ${fault}`) : undefined,
    openapi: { title: 'Transparency log witness', serverUrl: baseUrlOf(config) },
  });
  const server = await listenForApi({ http: handler }, config, report);
  const readiness = () =>
    Promise.resolve({ ok: true, failing: [], shortFolders: folders.short, silentFolders: folders.silent });
  try {
    const operations = await listen('SERVICE_METRICS_PORT', config, {
      handler: createOperationsHandler({ metrics, readiness }),
    });
    const stopTickers = runTickers([folders.ticker((sentence) => logger.warn(sentence))], (ticker) => {
      logger.error({ ticker }, 'a ticker has failed');
    });
    return {
      port: server.port,
      metricsPort: operations.port,
      async close() {
        await stopTickers();
        await Promise.all([operations.close(), server.close()]);
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
