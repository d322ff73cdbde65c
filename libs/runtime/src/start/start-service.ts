import { ServiceError } from '@answer-evidence/contracts';
import { createCallHandler } from '@answer-evidence/grpc-edge';
import {
  type ConsoleProxy,
  createAuthenticator,
  createCallEdge,
  createHostPolicy,
  createHttpApp,
  createRequestLimits,
  parseCorsOrigins,
  parseRateLimits,
  parseTrustedProxies,
} from '@answer-evidence/http-edge';
import { systemClock } from '@answer-evidence/node-crypto';
import { listStoredWorkspaces } from '@answer-evidence/postgres';
import { describeHostRoute } from '@answer-evidence/stage-workspace';
import { basePathOf, baseUrlOf, transportSecurityOf, workspaceUrl } from '../ground/addresses.ts';
import { assertDataDir } from '../ground/assert-data-dir.ts';
import type { Config } from '../ground/config.ts';
import { placeOfDatabase } from '../ground/database-start-error.ts';
import { isDatabaseUnavailable } from '../ground/is-database-unavailable.ts';
import type { Report } from '../ground/report.ts';
import { runTickers } from '../ground/run-tickers.ts';
import type { StageName } from '../ground/stage-names.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import { FolderWatch } from '../observability/folder-watch.ts';
import { registerHeadMetrics } from '../observability/head-metrics.ts';
import { openLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createOperationsHandler } from '../observability/operations-handler.ts';
import { createQueueBoardPages } from '../observability/queue-board.ts';
import { openTracingOf, traceCall, traceRequest, traceRequestsEnded } from '../observability/tracing/trace-requests.ts';
import { describeLostWorkspaces } from '../open/describe-lost-workspaces.ts';
import { findUnnamedMembers } from '../open/find-members.ts';
import { createFirstWorkspace } from '../open/first-workspace.ts';
import { followServer } from '../open/follow-server.ts';
import { isAnyLogAttested } from '../open/is-attested.ts';
import { openDatabase } from '../open/open-database.ts';
import { openHeldStores } from '../open/open-held-stores.ts';
import { registerSweepMetrics } from '../open/sweep-holds.ts';
import { registerClockMetrics } from '../open/watch-clock.ts';
import { writtenFolders } from '../surroundings/written-folders.ts';
import { rehearseCreates } from '../v8/rehearsal/rehearse-creates.ts';
import { countRequests, memoryOfProcess, memoryTicker } from '../v8/return-memory.ts';
import { openBodyReaders } from '../work/open-body-readers.ts';
import { apiInfoOf } from './describe-api.ts';
import { explainStart } from './explain-start.ts';
import { listen, listenForApi } from './listen.ts';
import { readReadiness } from './readiness.ts';
import { openStages } from './stages/open-stages.ts';
import { tellIfSlow } from './tell-if-slow.ts';

/** Which stages a process runs, and whether it makes the workspace `demo` in an empty installation. */
export type ServiceOptions = { readonly stages: readonly StageName[]; readonly firstWorkspace: boolean };

/** A running service. */
export type RunningService = {
  readonly port: number;
  readonly metricsPort: number;
  /** Undefined where OTLP over gRPC is off. */
  readonly grpcPort?: number | undefined;
  /** Stops accepting, finishes requests in progress, and closes what was opened, last first; after a failure too. */
  close(): Promise<void>;
};

/** A running service of answers; `isAttested`: whether a log had somebody outside to attest it at the start. */
type AnsweringService = RunningService & { readonly isAttested: boolean };

/**
 * Opens everything that the stages need and listens. Throws `StartError` for problems that a person can fix, after
 * closing everything that was opened. Calls `onFatal` when the process must not continue.
 */
export async function openService(
  config: Config,
  options: ServiceOptions,
  report: Report,
  onFatal: (error: Error) => void,
): Promise<AnsweringService> {
  const opened: (() => Promise<void>)[] = [];
  async function close(): Promise<void> {
    const failures: unknown[] = [];
    for (let closeOne = opened.pop(); closeOne !== undefined; closeOne = opened.pop())
      await closeOne().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
  try {
    await tellIfSlow(report, `the folder ${config.SERVICE_DATA_DIR}`, () => assertDataDir(config));
    const { logger, ...log } = openLogger(config.SERVICE_LOG_LEVEL);
    const metrics = createMetrics(log);
    /** Told once the service is ready: a start that is refused says only why. */
    const warnings = new Set<string>();
    const folders = new FolderWatch(writtenFolders(config));
    folders.register(metrics.registry);
    for (const sentence of await folders.look()) warnings.add(sentence);
    const tracing = await openTracingOf(config, options.stages, {
      onRefused: (sentence) => void warnings.add(sentence),
      onLost(spans, isFirst) {
        metrics.spansLost(spans);
        if (isFirst) logger.warn({ spans }, 'traces cannot be exported; requests go on without them');
      },
      onAgain: (spans) => logger.warn({ spans }, 'traces are exported again; these spans were lost meanwhile'),
    });
    if (tracing !== undefined) opened.push(() => tracing.close());
    const database = await openDatabase(config, report);
    opened.push(() => database.close());
    const on = {
      fatal: onFatal,
      idleError: (error: Error) => {
        logger.warn({ error: error.name }, 'a database connection was closed');
      },
      warning: (sentence: string) => void warnings.add(sentence),
      signInRefused: (reason: string) => {
        logger.warn({ reason }, 'a sign-in by the OpenID provider was refused');
      },
      notice: (sentence: string) => logger.warn(sentence),
      tracing,
    };
    const stores = await tellIfSlow(report, `${placeOfDatabase(config)} and the place of the heads`, () =>
      openHeldStores(config, database, report, on),
    );
    opened.push(() => stores.close());
    // From here on nobody ends the process without what it knows of logs being written down.
    const end = (error: Error) => stores.heads.end(error);
    followServer(stores, report);
    registerHeadMetrics(metrics.registry, stores.heads);
    stores.standbys.register(metrics.registry);
    stores.nodes.register(metrics.registry);
    stores.damagedWorkspaces.register(metrics.registry);
    stores.ledgerMetrics.register(metrics.registry);
    const stored = await listStoredWorkspaces(stores.pool, stores.vault);
    for (const line of await describeLostWorkspaces(stores.headStore, stored)) report(line);
    await findUnnamedMembers(stores);

    registerClockMetrics(metrics.registry, stores.clockGuard);
    registerSweepMetrics(metrics.registry, stores.sweepHolds);
    const hosts = createHostPolicy(config.SERVICE_BASE_URL ?? 'http://127.0.0.1', stores.directory);
    let port = config.SERVICE_HTTP_PORT;
    const publicUrl = config.SERVICE_BASE_URL;
    const addresses = {
      async workspaceOfHost(host: string | undefined) {
        const slug = hosts.findSlug(host);
        return slug === undefined ? undefined : stores.directory.findBySlug(slug);
      },
      ...(publicUrl === undefined ? {} : { publicUrl: (slug: string) => workspaceUrl(publicUrl, slug) }),
      linkUrl: (slug: string) => workspaceUrl(baseUrlOf(config, port), slug),
    };
    const work = openBodyReaders(config);
    opened.push(() => work.close());
    const context = { config, stores, report, on: { ...on, fatal: end }, addresses, work };
    let console: ConsoleProxy | undefined;
    const stages = await openStages(
      options.stages,
      context,
      ({ close: closeStage, registerMetrics, console: opensConsole }) => {
        console ??= opensConsole;
        if (closeStage !== undefined) opened.push(closeStage);
        registerMetrics?.(metrics.registry);
      },
    );
    const routes = [...stages.flatMap((stage) => stage.routes), describeHostRoute(addresses)];
    // One of each for all ports: what a token may do and has used does not depend on the protocol.
    const gate = {
      readers: work,
      authenticator: createAuthenticator({
        administration: stores.administration,
        applicationTokens: stores.applicationTokens,
        clock: systemClock,
        isClockBehind: () => stores.clockGuard.recent().state === 'behind',
        onUse: (use) => stores.tokenUses.note(use),
      }),
      hosts,
      limits: createRequestLimits({
        limits: parseRateLimits(config.SERVICE_RATE_LIMITS),
        trustedProxies: parseTrustedProxies(config.SERVICE_TRUSTED_PROXIES),
      }),
      logger,
      metrics: tracing === undefined ? metrics.http : traceRequestsEnded(metrics.http, tracing),
    };
    const { handler } = createHttpApp({
      ...gate,
      routes,
      basePath: basePathOf(config),
      transportSecurity: transportSecurityOf(config),
      ...(console === undefined ? {} : { console }),
      ...(config.SERVICE_CORS_ORIGINS === undefined ? {} : { origins: parseCorsOrigins(config.SERVICE_CORS_ORIGINS) }),
      openapi: apiInfoOf(config),
      onUndocumented:
        config.SERVICE_CHECK_REPLIES === 'on' ? (fault) => report(`undocumented reply: ${fault}`) : undefined,
    });
    const requests = countRequests();
    const onTickerError = (ticker: string, error: unknown): void => {
      // A head that cannot be trusted: anyone who meets it, nothing more may be signed on it.
      if (error instanceof ServiceError && error.remedy === 'stop-process') end(error);
      else if (isDatabaseUnavailable(error)) logger.warn({ ticker }, 'a ticker waits for the database');
      else logger.error({ ticker, error: error instanceof Error ? error.name : 'unknown' }, 'a ticker has failed');
    };
    const stopTickers = runTickers(
      [
        ...stores.tickers,
        folders.ticker(on.notice),
        ...(config.DATABASE_URL === undefined ? [] : [stores.standbys.ticker, stores.nodes.ticker]),
        memoryTicker(memoryOfProcess(requests.inProgress)),
        // The stage that publishes every log moves every head too, also for a process that was killed.
        stores.heads.ticker(options.stages.includes('trust') ? 'all' : 'own'),
        ...stages.flatMap((stage) => stage.tickers),
      ],
      onTickerError,
      stores.pulse.askForWork,
    );
    // Opened before the servers, so that it ends after the last request.
    opened.push(stopTickers);
    const hasCalls = routes.some((route) => route.grpcMethod !== undefined);
    const grpc = hasCalls ? createCallHandler(createCallEdge(gate), routes) : undefined;
    const handlers = {
      http: (...[req, res]: Parameters<typeof handler>) => {
        requests.note(res);
        if (tracing === undefined) handler(req, res);
        else traceRequest(tracing, req, res, handler);
      },
      grpc:
        grpc &&
        ((...[stream, headers]: Parameters<typeof grpc>) => {
          requests.note(stream);
          if (tracing === undefined) grpc(stream, headers);
          else traceCall(tracing, stream, headers, grpc);
        }),
    };
    const server = await listenForApi(handlers, config, report);
    opened.push(() => server.close());
    port = server.port;
    // Anyone who waits for the readiness of a first start goes on to read the token that it has made.
    let isStarted = false;
    const board = createQueueBoardPages(() => config.SERVICE_QUEUE_BOARD_TOKEN);
    const operations = await listen('SERVICE_METRICS_PORT', config, {
      handler: createOperationsHandler({ metrics, readiness: () => readReadiness(stores, folders, isStarted), board }),
    });
    opened.push(() => operations.close());
    const { registry } = metrics;
    const sinks = { onFatal: end, onWarning: on.warning, onQueues: board?.show };
    const jobs = { config, database, stores, stages, logger, registry, ...sinks };
    const background = await tellIfSlow(report, 'the queues', () => openJobs(jobs));
    opened.push(() => background.close());
    if (options.firstWorkspace) await createFirstWorkspace(stores, config, server.port, report);
    background.start();
    const isAttested = await isAnyLogAttested(stores);
    for (const sentence of warnings) report(`warning: ${sentence}`);
    // It makes the first creates quicker and is needed for nothing, so a start never fails for it.
    if (config.SERVICE_WARM_START === 'on' && options.stages.includes('ingest'))
      await rehearseCreates().catch((error: unknown) => logger.warn({ error }, 'creates were not rehearsed'));
    isStarted = true;
    // The logs that the start has left for later.
    opened.push(runTickers([stores.heads.restTicker()], onTickerError, stores.pulse.askForWork));
    const { grpcPort } = server;
    return { port: server.port, grpcPort, metricsPort: operations.port, isAttested, close };
  } catch (error) {
    // What failed first is what the person has to know.
    await close().catch(() => undefined);
    throw explainStart(error, config);
  }
}
