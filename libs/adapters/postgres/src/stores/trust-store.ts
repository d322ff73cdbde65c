import type pg from 'pg';
import { DEFAULT_TRUST_POLICY, TOKEN_ANCHORS, trustPolicyCore } from '@answer-evidence/contracts';
import type {
  AttestedTree,
  StoredAnchor,
  TrustStore,
  WorkspaceDirectory,
  WorkspaceVault,
} from '@answer-evidence/ports';
import {
  type AnchorRow,
  ANCHORS,
  type AnchorSecretRow,
  type AttemptRow,
  ATTEMPTS,
  type CosignatureRow,
  COSIGNATURES,
  PUBLISHED,
  type PublishedRow,
  type WitnessStateRow,
} from '@answer-evidence/tables';
import { sqlState } from '../failures.ts';
import { readCore } from '../rows/read-core.ts';
import { authenticated } from '../rows/row-macs.ts';
import { type Query, readRows, readWorkspace, writeRows } from '../session.ts';
import { whileHolding } from '../workspace-lock.ts';
import { addTrustRows } from './write-trust.ts';

const ANCHOR_COLUMNS = ANCHORS.columns.join(', ');
const NEWEST_TREE = '(select max(tree_size) from answer_evidence.anchors where workspace_id = $1 and covered is null)';
const TOKEN_TYPES = TOKEN_ANCHORS.map((type) => `'${type}'`).join(', ');

// What was published under an earlier name of the log does not count: every signature is over the name.
const OF_THIS_NAME = `tree_size > coalesce((select max(l.leaf_index) from answer_evidence.workspace_entries w
  join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = w.id and l.id = w.id
  where w.workspace_id = $1 and w.type = 'epoch_opened'), -1)`;

/**
 * Attestations of logs, in the database. A lead holds a connection of the pool `leads` for as long as witnesses and
 * authorities take to respond; a separate pool takes no connections from writers.
 */
export function createTrustStore(pool: pg.Pool, directory: WorkspaceDirectory, leads: pg.Pool = pool): TrustStore {
  const vaultOf = async (workspaceId: string) => (await directory.get(workspaceId)).vault;

  async function published(workspaceId: string, name: string, rest: string, values: readonly unknown[]) {
    const vault = await vaultOf(workspaceId);
    const rows = await readRows<PublishedRow>(
      pool,
      name,
      `select ${PUBLISHED.columns.join(', ')} from answer_evidence.published_checkpoints
           where workspace_id = $1 and ${OF_THIS_NAME} ${rest}`,
      [workspaceId, ...values],
    );
    return authenticated(vault, PUBLISHED, rows);
  }

  async function anchors(workspaceId: string, where: string, values: readonly unknown[], rest = '') {
    const vault = await vaultOf(workspaceId);
    return readWorkspace(pool, workspaceId, (query) => readAnchors(query, workspaceId, vault, where, values, rest));
  }

  async function policyWhere(
    workspaceId: string,
    name: string,
    rest: string,
    values: readonly unknown[],
    what: string,
  ) {
    const [row] = await readRows<{ core_json: string; at: number }>(
      pool,
      name,
      `select w.core_json, l.at from answer_evidence.workspace_entries w
           join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = $1 and l.id = w.id
           where w.workspace_id = $1 and w.type = 'trust_policy_changed' ${rest}`,
      [workspaceId, ...values],
    );
    if (row === undefined) return undefined;
    const { version, policy } = readCore(trustPolicyCore, row.core_json, what);
    return { version, values: policy, updatedAt: row.at };
  }

  return {
    policy: async (workspaceId) =>
      (await policyWhere(
        workspaceId,
        'trust_policy',
        'order by w.seq desc limit 1',
        [],
        'the trust policy in force',
      )) ?? { version: 0, values: DEFAULT_TRUST_POLICY, updatedAt: null },
    findPolicy: (workspaceId, version) =>
      policyWhere(
        workspaceId,
        'trust_policy_of',
        'and w.seq = $2',
        [version],
        `version ${version} of the trust policy`,
      ),

    anchorSecrets: (workspaceId) =>
      readRows<AnchorSecretRow>(
        pool,
        'anchor_secrets',
        `select anchor_id, object_id, wrapped_key, secret from answer_evidence.anchor_secrets where workspace_id = $1`,
        [workspaceId],
      ),

    newestPublished: async (workspaceId) =>
      (await published(workspaceId, 'newest_published', 'order by tree_size desc limit 1', []))[0],
    findPublished: async (workspaceId, treeSize) =>
      (await published(workspaceId, 'find_published', 'and tree_size = $2', [treeSize]))[0],
    firstPublishedAbove: async (workspaceId, treeSize) =>
      (await published(workspaceId, 'first_published', 'and tree_size > $2 order by tree_size limit 1', [treeSize]))[0],
    async listPublished(workspaceId, { offset, limit }) {
      const rest = 'order by tree_size desc limit $2 offset $3';
      const items = await published(workspaceId, 'list_published', rest, [limit, offset]);
      return { items, total: await countRows(pool, workspaceId, PUBLISHED.name, `and ${OF_THIS_NAME}`) };
    },
    async publish(workspaceId, row) {
      const target = { counted: 'checkpoints', key: ['tree_size'] } as const;
      try {
        const vault = await vaultOf(workspaceId);
        return (await addTrustRows(pool, workspaceId, vault, PUBLISHED, target, [row])) === 1;
      } catch (error) {
        if (sqlState(error) === '23505') return false;
        throw error;
      }
    },

    async cosignatures(workspaceId, treeSize) {
      const rows = await readRows<CosignatureRow>(
        pool,
        'cosignatures',
        `select ${COSIGNATURES.columns.join(', ')} from answer_evidence.cosignatures
             where workspace_id = $1 and tree_size = $2 order by received_at, public_key`,
        [workspaceId, treeSize],
      );
      return authenticated(await vaultOf(workspaceId), COSIGNATURES, rows);
    },
    async addCosignature(workspaceId, row) {
      const target = { counted: 'cosignatures', key: ['tree_size', 'public_key'] } as const;
      await addTrustRows(pool, workspaceId, await vaultOf(workspaceId), COSIGNATURES, target, [row]);
    },
    witnessStates: (workspaceId) =>
      readRows<WitnessStateRow>(
        pool,
        'witness_states',
        `select public_key, tree_size, failures, last_error, next_attempt_at from answer_evidence.witness_states
             where workspace_id = $1`,
        [workspaceId],
      ),
    async putWitnessState(workspaceId, row) {
      await writeRows(
        pool,
        'put_witness_state',
        `insert into answer_evidence.witness_states
             (workspace_id, public_key, tree_size, failures, last_error, next_attempt_at) values ($1, $2, $3, $4, $5, $6)
             on conflict (workspace_id, public_key) do update set tree_size = excluded.tree_size,
               failures = excluded.failures, last_error = excluded.last_error, next_attempt_at = excluded.next_attempt_at`,
        [workspaceId, row.public_key, row.tree_size, row.failures, row.last_error, row.next_attempt_at],
      );
    },
    async noteLook(workspaceId, { part, tree_size: treeSize, policy_version: policyVersion, due_at: dueAt }) {
      await writeRows(
        pool,
        'note_trust_look',
        `insert into answer_evidence.trust_looks (workspace_id, part, tree_size, policy_version, due_at)
             values ($1, $2, $3, $4, $5)
             on conflict (workspace_id, part) do update set tree_size = excluded.tree_size,
               policy_version = excluded.policy_version, due_at = excluded.due_at`,
        [workspaceId, part, treeSize, policyVersion, dueAt],
      );
    },

    newestAnchors: (workspaceId) => anchors(workspaceId, `and covered is null and tree_size = ${NEWEST_TREE}`, []),
    anchorsOf: (workspaceId, treeSize) => anchors(workspaceId, 'and covered is null and tree_size = $2', [treeSize]),
    async listAnchors(workspaceId, { offset, limit }) {
      const items = await anchors(workspaceId, '', [limit, offset], 'limit $2 offset $3');
      return { items, total: await countRows(pool, workspaceId, ANCHORS.name) };
    },
    async addAnchors(workspaceId, rows) {
      const target = { counted: 'anchors', key: ['tree_size', 'anchor_id'] } as const;
      const added = rows.map((row) => ({ covered: null, kept: null, ...row }));
      await addTrustRows(pool, workspaceId, await vaultOf(workspaceId), ANCHORS, target, added);
    },
    async addAttempt(workspaceId, row) {
      const target = { counted: 'attempts', key: ['anchor', 'attempt'] } as const;
      await addTrustRows(pool, workspaceId, await vaultOf(workspaceId), ATTEMPTS, target, [{ ends_at: null, ...row }]);
    },
    renewals: async (workspaceId) => {
      const rows = await anchors(workspaceId, 'and covered is not null', []);
      return rows.toSorted((a, b) => numberOf(a) - numberOf(b));
    },
    tokenAnchors: (workspaceId, from, trees) =>
      anchors(
        workspaceId,
        `and covered is null and type in (${TOKEN_TYPES}) and tree_size in (
           select distinct tree_size from answer_evidence.anchors
             where workspace_id = $1 and covered is null and type in (${TOKEN_TYPES}) and tree_size >= $2
             order by tree_size limit $3)`,
        [from, trees],
      ),
    async tokenEnds(workspaceId, above, nowMicros) {
      const [row] = await readRows<{ tokens: number; unknown: number; earliest: number | null }>(
        pool,
        'token_ends',
        `select count(*) as tokens, count(*) filter (where t.ends_at is null) as unknown,
               min(t.ends_at) filter (where t.ends_at > $3) as earliest
             from answer_evidence.anchors a join answer_evidence.anchor_attempts t
               on t.workspace_id = $1 and t.anchor = a.id and t.outcome = 'confirmed'
             where a.workspace_id = $1 and a.covered is null and a.type in (${TOKEN_TYPES}) and a.tree_size > $2`,
        [workspaceId, above, nowMicros],
      );
      return row ?? { tokens: 0, unknown: 0, earliest: null };
    },
    async confirmedTrees(workspaceId, range, limit) {
      const [condition, bound, order] =
        'above' in range ? (['>', range.above, 'asc'] as const) : (['<=', range.upTo, 'desc'] as const);
      const rows = await readRows<{
        tree_size: number;
        anchors: AttestedTree['anchors'];
        cosigners: readonly string[];
      }>(
        pool,
        `confirmed_trees_${order}`,
        `select a.tree_size, jsonb_agg(jsonb_build_object('id', a.anchor_id, 'type', a.type)) as anchors,
               array(select encode(c.public_key, 'hex') from answer_evidence.cosignatures c
                 where c.workspace_id = $1 and c.tree_size = a.tree_size) as cosigners
             from answer_evidence.anchors a
             where a.workspace_id = $1 and a.covered is null and a.tree_size ${condition} $2 and ${OF_THIS_NAME} and exists (
               select from answer_evidence.anchor_attempts t
                 where t.workspace_id = $1 and t.anchor = a.id and t.outcome = 'confirmed')
             group by a.tree_size order by a.tree_size ${order} limit $3`,
        [workspaceId, bound, limit],
      );
      return rows.map(({ tree_size: treeSize, anchors, cosigners }) => ({ treeSize, anchors, cosigners }));
    },
    async cosignedTrees(workspaceId, upTo, limit) {
      const rows = await readRows<{ tree_size: number; cosigners: readonly string[] }>(
        pool,
        'cosigned_trees',
        `select tree_size, array_agg(encode(public_key, 'hex')) as cosigners from answer_evidence.cosignatures
             where workspace_id = $1 and tree_size <= $2 and ${OF_THIS_NAME}
             group by tree_size order by tree_size desc limit $3`,
        [workspaceId, upTo, limit],
      );
      return rows.map(({ tree_size: treeSize, cosigners }) => ({ treeSize, cosigners }));
    },

    whileLeading: (workspaceId, part, action) => whileHolding(leads, part, workspaceId, action),
  };
}

async function readAnchors(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  where: string,
  values: readonly unknown[],
  rest: string,
): Promise<readonly StoredAnchor[]> {
  const rows = await query<AnchorRow>(
    '',
    `select ${ANCHOR_COLUMNS} from answer_evidence.anchors
       where workspace_id = $1 ${where} order by tree_size desc, anchor_id ${rest}`,
    [workspaceId, ...values],
  );
  const attempts = await query<AttemptRow>(
    'attempts_of',
    `select ${ATTEMPTS.columns.join(', ')} from answer_evidence.anchor_attempts
       where workspace_id = $1 and anchor = any($2::uuid[]) order by anchor, attempt`,
    [workspaceId, rows.map((row) => row.id)],
  );
  authenticated(vault, ATTEMPTS, attempts);
  return authenticated(vault, ANCHORS, rows).map((anchor) => ({
    anchor,
    attempts: attempts.filter((attempt) => attempt.anchor === anchor.id),
  }));
}

/** The number at the end of a renewal's name. */
function numberOf({ anchor }: StoredAnchor): number {
  return Number(anchor.anchor_id.split('-').at(-1));
}

async function countRows(pool: pg.Pool, workspaceId: string, table: string, where = ''): Promise<number> {
  const [row] = await readRows<{ n: number }>(
    pool,
    `count_${table}`,
    `select count(*) as n from answer_evidence.${table} where workspace_id = $1 ${where}`,
    [workspaceId],
  );
  return row?.n ?? 0;
}
