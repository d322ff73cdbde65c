import type pg from 'pg';
import type { HeadServer } from '@answer-evidence/ports';
import { destroyConnection } from './append/send-transaction.ts';
import { nodesOf } from './distribution/node-questions.ts';
import { queryOnce, unavailable } from './session.ts';
import { askNodesForWork, WORK_COLUMNS, type WorkQuestions, type WorkRow } from './work-questions.ts';

/** A server as a connection finds it. */
export type FoundServer = Required<HeadServer> & {
  readonly timeline: number;
  readonly synchronousStandbys: string;
  /** When its postmaster started, in seconds: files are put back, or are those of a copy, only under another one. */
  readonly startedAt: string;
};

/**
 * Which server a connection leads to. The timeline is that of the write-ahead log which is written now: the one of the
 * last checkpoint may be old for minutes after a promotion. A standby writes none.
 */
const LOOK = `select (select system_identifier::text from pg_control_system()) as identifier,
  case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as "walFile",
  case when pg_is_in_recovery() then null else (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text end as flushed,
  extract(epoch from pg_postmaster_start_time())::text as "startedAt",
  current_setting('synchronous_standby_names') as standbys`;

/** The same, and whether there is work: a process that has nothing to do asks hardly anything else. */
const PULSE = `${LOOK},
  ${WORK_COLUMNS}`;

type Row = {
  readonly identifier: string;
  readonly walFile: string | null;
  readonly flushed: string | null;
  readonly startedAt: string;
  readonly standbys: string;
};

/** The database answers from another server than the one on which the logs were found to be whole, or a new start. */
export class OtherServerError extends Error {
  override readonly name = 'OtherServerError';
  readonly found: FoundServer;

  constructor(found: FoundServer, message: string) {
    super(message);
    this.found = found;
  }
}

/** What was committed before is not there any more, on the same server: its files were put back. */
class WalWentBackError extends Error {
  override readonly name = 'WalWentBackError';
}

/** As far as the write-ahead log of a server is known to be on its disk; of none, nothing is known. */
type Known = { readonly server: FoundServer | undefined; readonly flushed: bigint };

/** What is done when a connection leads elsewhere. */
type ServerListeners = {
  /**
   * Another server, or the same one after a start. Connections to it are refused until it is admitted, and those to the
   * one before are broken.
   */
  readonly onOther: (found: FoundServer) => void;
  /** The same server with less than it had. */
  readonly onWentBack: (error: Error) => void;
};

/**
 * Holds every new connection of a process against the one server that it was admitted to, before its first use. The
 * first server that is found is admitted, and its logs are compared before anything is signed. A connection to a
 * standby may read. It outlives a promotion, so it is broken when one has happened (decision 0129).
 */
export class ServerWatch {
  readonly #taken = new Set<pg.ClientBase>();
  readonly #standbys = new Set<pg.ClientBase>();
  #listeners: ServerListeners | undefined;
  #admitted: FoundServer | undefined;
  /** As far as the write-ahead log of the admitted server is known to be on its disk. */
  #flushed = 0n;

  listen(listeners: ServerListeners): void {
    this.#listeners = listeners;
  }

  /** Whether any connection was opened to a standby: what it reads may be older than what was committed. */
  get isOnStandby(): boolean {
    return this.#standbys.size > 0;
  }

  /** Lets connections lead to this server from now on. Its logs were compared with everything that is known of them. */
  admit(server: FoundServer): void {
    if (this.#admitted === undefined || !isSameServer(this.#admitted, server)) this.#flushed = 0n;
    this.#admitted = server;
  }

  /** Whether a server is the one that was admitted, be it from a new start. */
  isAdmitted(server: FoundServer): boolean {
    return this.#admitted !== undefined && isSameServer(this.#admitted, server);
  }

  /** Looks where a new connection leads. Throws, and the connection is not used, unless it is where it may. */
  async take(client: pg.ClientBase, mayBeStandby: boolean): Promise<void> {
    const known = this.#known();
    const { rows } = await client.query<Row>(LOOK);
    const isServer = this.#judge(rows[0], known) !== undefined;
    if (isServer || mayBeStandby) {
      this.#taken.add(client);
      client.once('end', () => this.#taken.delete(client));
    }
    if (isServer) return;
    if (!mayBeStandby) throw new Error('the connection leads to a standby, which accepts no writes');
    this.#standbys.add(client);
    client.once('end', () => this.#standbys.delete(client));
  }

  /** The server as it is now. Throws `ledger_unavailable` for a standby, and for another one than was admitted. */
  async read(pool: pg.Pool): Promise<FoundServer> {
    const known = this.#known();
    const { rows } = await queryOnce<Row>(pool, { name: 'look_at_server', text: LOOK, values: [] });
    let server: FoundServer | undefined;
    try {
      server = this.#judge(rows[0], known);
    } catch (error) {
      throw unavailable(error);
    }
    if (server !== undefined && !this.isOnStandby) return server;
    if (server !== undefined) this.#breakStandbys();
    throw unavailable(new Error('the database is a standby'));
  }

  /** Asks about once a second, with `work` also for that. Hears of a promotion. */
  async ask(pool: pg.Pool, work?: Pick<WorkQuestions, 'take'>): Promise<void> {
    const known = this.#known();
    const asked = work?.take();
    const nodes = nodesOf(pool);
    try {
      const { rows } = await pool.query<Row & WorkRow>(
        asked === undefined || nodes !== undefined
          ? { name: 'look_at_server', text: LOOK }
          : { name: 'pulse', text: PULSE, values: [...asked.values] },
      );
      const [row] = rows;
      // A connection that was opened to a standby leads to a server now that nobody has looked at.
      if (row?.walFile !== null && this.isOnStandby) this.#breakStandbys();
      else this.#judge(row, known);
      asked?.answer(nodes === undefined ? (row ?? {}) : await askNodesForWork(pool, nodes, asked.values));
    } catch (error) {
      asked?.fail(error);
      throw error;
    }
  }

  #breakStandbys(): void {
    for (const client of this.#standbys) destroyConnection(client);
  }

  /** What an answer is held against, where the question is sent now: meanwhile another server may be admitted. */
  #known(): Known {
    return { server: this.#admitted, flushed: this.#flushed };
  }

  /** Undefined for a standby. `known` is from before the question was sent. */
  #judge(row: Row | undefined, known: Known): FoundServer | undefined {
    if (row === undefined || row.walFile === null || row.flushed === null) return undefined;
    const found = {
      systemIdentifier: row.identifier,
      timeline: Number.parseInt(row.walFile.slice(0, 8), 16),
      synchronousStandbys: row.standbys,
      startedAt: row.startedAt,
    };
    const admitted = (this.#admitted ??= found);
    const isSame = isSameServer(admitted, found);
    const flushed = BigInt(row.flushed);
    const wasSame = known.server !== undefined && isSameServer(known.server, found);
    if (isSame && wasSame && flushed < known.flushed) {
      const gap = known.flushed - flushed;
      const error = new WalWentBackError(
        `the connection leads to a write-ahead log that went back by ${gap} bytes: its files were restored`,
      );
      this.#listeners?.onWentBack(error);
      throw error;
    }
    if (!isSame || admitted.startedAt !== found.startedAt) {
      // The address leads elsewhere. What is still connected to the server before would write beside it.
      for (const client of this.#taken) destroyConnection(client);
      this.#listeners?.onOther(found);
      const place = `${found.systemIdentifier}/${found.timeline}`;
      throw new OtherServerError(
        found,
        isSame ? `the server ${place} was started again` : `the connection leads to another server, ${place}`,
      );
    }
    if (flushed > this.#flushed) this.#flushed = flushed;
    return found;
  }
}

function isSameServer(one: FoundServer, other: FoundServer): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.timeline === other.timeline;
}

/** Reads which server a pool leads to, for commands that run once. Throws for a standby. */
export function readServer(pool: pg.Pool): Promise<FoundServer> {
  return new ServerWatch().read(pool);
}
