import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openCuttableRelay, startTestReplication } from '@answer-evidence/testing';
import {
  type Finished,
  readToken,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
  startRole,
  until,
} from '../../tools/scenery/service-process.ts';
import { answer } from '../../tools/scenery/test-service.ts';
import { SignedTrees } from './signed-trees.ts';

const LANES = 4;
const REST_MS = 5;
/** How long the load goes on before the standby falls behind, and after the service is back. */
const CALM_MS = 600;
/** From here on, the standby lacks something that was acknowledged. */
const SURELY_BEHIND_MS = 100;

/** What a failover meets. */
export type FailoverRound = {
  readonly behindMs: number;
  /** `killed`: together with the primary, as where both are on one machine. */
  readonly service: 'running' | 'killed';
  readonly form: 'one process' | 'split';
  /** How often the database fails over before the service is started again. */
  readonly failovers?: 1 | 2;
};

/** What became of a round. */
type RoundOutcome = {
  readonly acknowledged: number;
  readonly lost: number;
  /** How the processes that ran ended by themselves. */
  readonly exits: readonly (number | null)[];
  /** `refused`: until `ledger-recover`. */
  readonly start: 'ready' | 'refused';
  readonly origins: number;
};

/** An answer that was acknowledged with 201. */
type Acknowledged = { readonly id: string; readonly leafIndex: number; readonly origin: string };

/** An installation whose database fails over, round after round, to an asynchronous standby. */
export type FailoverPlace = {
  run(round: FailoverRound): Promise<RoundOutcome>;
  /** The ledger check of everything, at the end. */
  check(): Promise<string>;
  close(): Promise<void>;
};

/** Starts two servers, and a relay as the one address of the database. */
export async function openFailoverPlace(more: Readonly<Record<string, string>> = {}): Promise<FailoverPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-lagging-'));
  const databases = await startTestReplication({ isSynchronous: false });
  const relay = await openCuttableRelay(databases.primaryUrl);
  let isFirst = true;
  let processes: readonly ServiceProcess[] = [];
  const trees = new SignedTrees();
  const acknowledged: Acknowledged[] = [];
  let token = '';
  let count = 0;

  // Each server of the chain is a copy, so they have one password; the port is the relay's.
  const environment = (): Readonly<Record<string, string>> => {
    const url = new URL(databases.primaryUrl);
    url.port = new URL(relay.url).port;
    return { DATABASE_URL: url.href, SERVICE_LOG_LEVEL: 'error', ...more };
  };

  async function failOver(): Promise<void> {
    await databases.killPrimary();
    relay.cut();
    relay.turnTo(databases.standbyUrl);
    relay.mend();
    await databases.promote();
  }

  async function start(form: FailoverRound['form']): Promise<string> {
    const options = { dataDir, environment: environment() };
    if (isFirst && form === 'split') {
      // The first workspace is made by the whole service.
      const first = startProcess(options);
      await first.ready;
      await first.stop();
    }
    isFirst = false;
    processes =
      form === 'split'
        ? (['ingest-api', 'trust-worker'] as const).map((role) => startRole(role, options))
        : [startProcess(options)];
    const [url = ''] = await Promise.all(processes.map((process) => process.ready));
    token = await readToken(dataDir);
    return url;
  }

  async function call(baseUrl: string, method: string, path: string, body?: unknown) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Creates answers until it is told to stop; what is refused or broken off is not asked for again. */
  function load(baseUrl: string): () => Promise<void> {
    let isOver = false;
    const lanes = Array.from({ length: LANES }, async () => {
      while (!isOver) {
        await delay(REST_MS);
        const key = `asked-${count++}`;
        const made = await call(baseUrl, 'POST', '/api/answer-audit-logs', {
          ...answer(key),
          idempotency_key: key,
        }).catch(() => undefined);
        if (made?.status === 201) note(made.body);
      }
    });
    return async () => {
      isOver = true;
      await Promise.all(lanes);
    };
  }

  function note(body: any): void {
    const { origin } = trees.note(body.receipt as string);
    acknowledged.push({ id: body.id, leafIndex: body.ledger.leaf_index, origin });
  }

  /** Those that are not in the log any more. The log must have another name then. */
  async function countLost(baseUrl: string, of: readonly Acknowledged[]): Promise<number> {
    let lost = 0;
    const current = acknowledged.at(-1)?.origin;
    for (const { id, leafIndex, origin } of of) {
      const { status, body } = await call(baseUrl, 'GET', `/api/answer-audit-logs/${id}`);
      if (status === 200) {
        if (body.ledger.leaf_index !== leafIndex) throw new Error(`${id} has another place than its receipt says`);
        trees.note(body.receipt as string);
        continue;
      }
      if (status !== 404) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
      if (origin === current) throw new Error(`${id} is lost, and the log goes on under the same name`);
      lost += 1;
    }
    return lost;
  }

  /** The server may count connections of a process that has ended a moment ago. */
  async function recover(): Promise<Finished> {
    const run = () => runOperatorCommand(['ledger-recover'], { dataDir, environment: environment() });
    let recovered = await run();
    await until('a recovery without another process', async () => {
      if (!recovered.stderr.includes('is running')) return true;
      recovered = await run();
      return false;
    });
    return recovered;
  }

  return {
    async run({ behindMs, service, form, failovers = 1 }) {
      const from = acknowledged.length;
      const baseUrl = await start(form);
      const stopLoad = load(baseUrl);
      await delay(CALM_MS);
      await databases.detachStandby();
      const before = acknowledged.length;
      await delay(behindMs);
      // A busy machine may acknowledge nothing in that time.
      if (behindMs >= SURELY_BEHIND_MS)
        await until('a record that the standby lacks', () => acknowledged.length > before);
      if (service === 'killed') for (const process of processes) process.kill('SIGKILL');
      await failOver();
      if (failovers === 2) {
        await databases.addStandby();
        await databases.detachStandby();
        await failOver();
      }
      // Those that notice end by themselves; one that did nothing since is ended.
      const ended = await Promise.all(
        processes.map((process) => Promise.race([process.exited, delay(10_000, undefined, { ref: false })])),
      );
      await stopLoad();
      for (const process of processes) await process.stop();
      const origin = acknowledged.at(-1)?.origin;

      let outcome: RoundOutcome['start'] = 'ready';
      let next: string;
      try {
        next = await start(form);
      } catch (error) {
        if (!/were signed|differs from/.test(String(error))) throw error;
        outcome = 'refused';
        for (const process of processes) await process.stop();
        // A second start, as a supervisor makes, is refused as well.
        await start(form).then(
          () => Promise.reject(new Error('a refused log was opened by the next start')),
          () => Promise.all(processes.map((process) => process.stop())),
        );
        const recovered = await recover();
        if (recovered.code !== 0) throw new Error(`${recovered.stdout}\n${recovered.stderr}`, { cause: error });
        next = await start(form);
      }
      const stopAgain = load(next);
      await delay(CALM_MS);
      await stopAgain();
      if (acknowledged.at(-1)?.origin === origin && more['SERVICE_DATABASE_FAILOVER'] === undefined)
        throw new Error('the log goes on under its name on another server');
      const lost = await countLost(next, acknowledged.slice(from));
      for (const process of processes) await process.stop();
      await databases.addStandby();
      return {
        acknowledged: acknowledged.length - from,
        lost,
        exits: ended.map((exit) => exit?.code ?? null),
        start: outcome,
        origins: new Set(acknowledged.map((one) => one.origin)).size,
      };
    },
    async check() {
      const { stdout } = await runOperatorCommand(['ledger-check'], { dataDir, environment: environment() });
      return stdout;
    },
    async close() {
      for (const process of processes) await process.stop();
      await relay.close();
      await databases.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
