import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import pg from 'pg';
import type { Role } from '@answer-evidence/runtime/roles';
import { type CuttableRelay, openCuttableRelay } from '@answer-evidence/testing';
import { readToken, type ServiceProcess, startProcess, startRole, until } from '../../tools/scenery/service-process.ts';
import { answer } from '../../tools/scenery/test-service.ts';
import { SignedTrees } from './signed-trees.ts';

const READS_AT_ONCE = 40;

/** How each start is refused where a log lacks what was signed. */
export const MISSING = /holds \d+ entries, but \d+ were signed/;

type Environment = Readonly<Record<string, string>>;

/** An installation whose one address of the database leads to another server, or to other files. */
export class MovedPlace {
  readonly #closing: (() => Promise<unknown>)[] = [];
  readonly #dataDir: string;
  readonly #trees = new SignedTrees();
  #relay: CuttableRelay | undefined;
  #records = 0;
  /** The service that is asked. */
  baseUrl = '';

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.closeLater(() => rm(dataDir, { recursive: true, force: true }));
  }

  static async open(): Promise<MovedPlace> {
    return new MovedPlace(await mkdtemp(join(tmpdir(), 'answer-evidence-moved-')));
  }

  /** The one address of the database. */
  get relay(): CuttableRelay {
    if (this.#relay === undefined) throw new Error('the database has no address yet');
    return this.#relay;
  }

  /** What was opened first is closed last. */
  closeLater(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closing.pop(); close !== undefined; close = this.#closing.pop()) await close();
  }

  /** Gives a database its address; returns what a service is started with. */
  async openRelay(databaseUrl: string): Promise<Environment> {
    const relay = (this.#relay = await openCuttableRelay(databaseUrl));
    this.closeLater(() => relay.close());
    const url = new URL(databaseUrl);
    url.port = new URL(relay.url).port;
    return { DATABASE_URL: url.href, SERVICE_LOG_LEVEL: 'error' };
  }

  /** Starts the whole service, which is asked from now on. */
  async start(environment: Environment): Promise<ServiceProcess> {
    const service = this.#note(startProcess({ dataDir: this.#dataDir, environment }));
    this.baseUrl = await service.ready;
    return service;
  }

  startRole(role: Role, environment: Environment): ServiceProcess {
    return this.#note(startRole(role, { dataDir: this.#dataDir, environment }));
  }

  #note(service: ServiceProcess): ServiceProcess {
    this.closeLater(() => service.stop());
    return service;
  }

  /** The last line of a start that ends by itself. */
  async refusal(environment: Environment): Promise<string> {
    const service = this.#note(startProcess({ dataDir: this.#dataDir, environment }));
    expect(await service.exited).toEqual({ code: 1, signal: null });
    return service.stderr.at(-1) ?? '';
  }

  readToken(): Promise<string> {
    return readToken(this.#dataDir);
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.baseUrl}/api/answer-audit-logs${path}`, {
      method,
      headers: { Authorization: `Bearer ${await this.readToken()}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Asks once for a record. Returns the name of the log that signed it, or undefined where that was refused. */
  async tryCreate(): Promise<string | undefined> {
    const key = `moved-${this.#records++}`;
    const made = await this.call('POST', '', { ...answer(`asked with ${key}`), idempotency_key: key }).catch(
      () => undefined,
    );
    return made?.status === 201 ? this.#trees.note(made.body.receipt as string).origin : undefined;
  }

  /** Creates a record, as soon as the service takes it, and returns the name of the log that signed it. */
  async create(): Promise<string> {
    let origin: string | undefined;
    await until('a create', async () => (origin = await this.tryCreate()) !== undefined);
    return origin ?? '';
  }

  /** Creates records until a process has ended. Returns the names of the logs that signed them. */
  async createUntilEnd(service: ServiceProcess): Promise<readonly string[]> {
    const signed = new Set<string>();
    let isOver = false;
    void service.exited.then(() => (isOver = true));
    while (!isOver) {
      const origin = await this.tryCreate();
      if (origin !== undefined) signed.add(origin);
    }
    return [...signed];
  }

  /** Needs more connections than are open. */
  async readMuch(): Promise<void> {
    await Promise.all(Array.from({ length: READS_AT_ONCE }, () => this.call('GET', '?size=1').catch(() => undefined)));
  }
}

/** Asks a server behind the service's back, and returns the first row. */
export async function ask(url: string, sql: string): Promise<any> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows[0];
}
