import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import * as z from 'zod';
import type { CheckedLog, CheckedRange, CheckProgress } from '@answer-evidence/audit';
import { entryType, ledgerFinding } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { canonicalize, type JsonValue } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import { connect, readRows, toCallerError, writeRows } from '../session.ts';

/** A check that was interrupted longer ago is begun anew: what it found would be too old to pass for found now. */
const PASS_MICROS_MAX = 24 * 3_600 * 1_000_000;
const LOCK_CLASS = 4_171_935;
const POLL_MS = 100;

const index = z.int().min(0);
const log = z.strictObject({
  treeSize: index,
  rootHash: z.string(),
  frontier: z.array(z.string()),
  settings: z.array(z.strictObject({ leafIndex: index, version: z.int() })),
  epochRoots: z.array(z.tuple([index, z.string()])),
  logIds: z.array(z.string()),
  order: z.strictObject({
    lastAt: z.int().nullable(),
    lastLeaf: index,
    workspace: z.string().nullable(),
    counts: z.array(z.tuple([entryType, z.int()])),
  }),
  firstAt: z.int(),
});
/** `wholeAt`: when a check last began at leaf 0, `checkedAt`: when the one ended that wrote this, in microseconds. */
const statement = z.strictObject({ v: z.literal(1), log, checkedAt: z.int(), wholeAt: z.int() });
const pass = z.strictObject({
  v: z.literal(1),
  id: z.string(),
  begin: index,
  treeSize: index,
  rootHash: z.string(),
  begunAt: z.int(),
});
const block = z.strictObject({
  v: z.literal(1),
  pass: z.string(),
  from: index,
  to: index,
  total: index,
  findings: z.array(ledgerFinding),
});
type Pass = z.infer<typeof pass>;
type Row = { readonly content: string; readonly mac: Uint8Array };

/** What a check without a fault said: the log, when it was checked, and when one last began at leaf 0. */
export type CheckStatement = {
  readonly log: CheckedLog;
  readonly checkedAt: number;
  readonly wholeAt: number;
};

/** What one check keeps of what it finds. Anyone who opens it closes it. */
export type KeptCheck = {
  readonly progress: CheckProgress;
  /** What it took from an earlier one or from another process: how many leaves, and since when those check. */
  readonly takenOver: () => { readonly leaves: number; readonly begunAt: number } | undefined;
  /** It came to its end. With the log, if it found no fault in it; else no statement stands any more. */
  end(sound: CheckedLog | undefined): Promise<void>;
  close(): void;
};

/** What checks of a ledger keep in its database. */
type KeptChecks = {
  /** The newest statement, if the service wrote it about this workspace. */
  statement(): Promise<CheckStatement | undefined>;
  /** For a check that begins at leaf 0, or where such a statement ends. */
  open(since: CheckStatement | undefined): Promise<KeptCheck>;
};

/**
 * Keeps a statement of the log that was last found without a fault, and blocks of checks that have not ended, which
 * other processes take part in. Every row has a MAC of the workspace, so that nobody but the service says what was
 * checked. A block is claimed by a lock that ends with its connection.
 */
export function createKeptChecks(pool: pg.Pool, workspace: Workspace, now: () => number): KeptChecks {
  const rows = createRows(pool, workspace);
  const statementOf = () => rows.read('statement', statement);
  return {
    statement: statementOf,
    async open(since) {
      const begin = since?.log.treeSize ?? 0;
      const kind = since === undefined ? 'full' : 'since';
      const [passName, blocks] = [`pass ${kind}`, `block ${kind} `];
      const begunAt = now();
      const last = await rows.read(passName, pass);
      const age = begunAt - (last?.begunAt ?? 0);
      const before = last?.begin === begin && age >= 0 && age < PASS_MICROS_MAX ? last : undefined;
      const locks = openLocks(pool, workspace.id);
      let current: Pass | undefined;
      let known = 0;
      return {
        progress: {
          before,
          async begin(seen, isSame) {
            current = isSame ? before : undefined;
            if (current !== undefined) return current.treeSize;
            await rows.forget(passName, blocks);
            current = { v: 1, id: randomUUID(), begin, begunAt, ...seen };
            await rows.write(passName, current);
            return seen.treeSize;
          },
          async find({ from, to }): Promise<CheckedRange | undefined> {
            const found = await rows.read(`${blocks}${from}`, block);
            if (found?.pass !== current?.id || found?.from !== from || found.to !== to) return undefined;
            known += to - from;
            return { from, to, total: found.total, findings: found.findings };
          },
          async keep({ findings, from, to, total }) {
            const kept = { from, to, total, findings: [...findings] };
            if (current !== undefined) await rows.write(`${blocks}${from}`, { v: 1, pass: current.id, ...kept });
          },
          claim: ({ from }, wait) => locks.claim(`${kind} ${from}`, wait),
        },
        takenOver: () =>
          known === 0 || current === undefined ? undefined : { leaves: known, begunAt: current.begunAt },
        async end(sound) {
          await rows.forget(passName, blocks);
          if (sound === undefined) return rows.forget('statement');
          const other = await statementOf();
          // Another check may have ended meanwhile, with a newer log.
          const isBehind = other !== undefined && other.log.treeSize > sound.treeSize;
          const wholeAt = Math.max(since?.wholeAt ?? begunAt, other?.wholeAt ?? 0);
          const checkedAt = isBehind ? other.checkedAt : now();
          await rows.write('statement', { v: 1, log: isBehind ? other.log : sound, checkedAt, wholeAt });
        },
        close: () => locks.close(),
      };
    },
  };
}

/** The rows of a workspace, each under its MAC. A row that the service did not write is none. */
function createRows(pool: pg.Pool, { id: workspaceId, vault }: Workspace) {
  const macOf = (name: string, content: string) => vault.mac('ledger_checks', [name, content]);
  return {
    async read<T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> {
      const [row] = await readRows<Row>(
        pool,
        'kept_check',
        'select content, mac from answer_evidence.ledger_checks where workspace_id = $1 and name = $2',
        [workspaceId, name],
      );
      if (row === undefined || !equalSecrets(row.mac, macOf(name, row.content))) return undefined;
      // One of a later version is none either.
      return schema.safeParse(JSON.parse(row.content)).data;
    },
    async write(name: string, value: JsonValue): Promise<void> {
      const content = canonicalize(value);
      await writeRows(
        pool,
        'keep_check',
        `insert into answer_evidence.ledger_checks (workspace_id, name, content, mac) values ($1, $2, $3, $4)
           on conflict (workspace_id, name) do update set content = excluded.content, mac = excluded.mac`,
        [workspaceId, name, content, macOf(name, content)],
      );
    },
    forget: (name: string, prefix = name): Promise<void> =>
      writeRows(
        pool,
        'forget_checks',
        'delete from answer_evidence.ledger_checks where workspace_id = $1 and (name = $2 or starts_with(name, $3))',
        [workspaceId, name, prefix],
      ),
  };
}

/** Locks of blocks, all on one connection, and let go with it: a process that is killed holds none. */
function openLocks(pool: pg.Pool, workspaceId: string) {
  let opened: Promise<pg.PoolClient> | undefined;
  async function claim(name: string, wait: boolean): Promise<(() => Promise<void>) | undefined> {
    opened ??= connect(pool);
    const client = await opened;
    const key = [LOCK_CLASS, `${workspaceId} ${name}`];
    try {
      for (;;) {
        const { rows } = await client.query<{ got: boolean }>(
          'select pg_try_advisory_lock($1, hashtext($2)) as got',
          key,
        );
        if (rows[0]?.got === true) break;
        if (!wait) return undefined;
        await setTimeout(POLL_MS);
      }
    } catch (error) {
      throw toCallerError(error);
    }
    return async () => void (await client.query('select pg_advisory_unlock($1, hashtext($2))', key));
  }
  return {
    claim,
    close() {
      // A connection that may still hold a lock is closed.
      opened?.then(
        (client) => client.release(true),
        () => undefined,
      );
    },
  };
}
