import type pg from 'pg';
import { type EntryType, epochCore, ledgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import type { LogKeyChange, LogRenaming } from '@answer-evidence/ledger';
import { frontierRoot } from '@answer-evidence/merkle';
import { algorithmOfLogKey, parseVkey } from '@answer-evidence/note';
import {
  createTreeSigner,
  type LedgerSigner,
  type LogSnapshot,
  type LogStore,
  StoredDamageError,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import type { HeadRow, LeafRow, LedgerKeyRow, WorkspaceEntryRow } from '@answer-evidence/tables';
import { checkHead } from '../append/transact.ts';
import { readCore } from '../rows/read-core.ts';
import { HEAD_COLUMNS, LEAF_COLUMNS } from '../rows/rows.ts';
import { type Query, readRow, readRows, readWorkspace } from '../session.ts';
import { createNodeReader, readHashes } from './node-reader.ts';

/** Reads of logs. Leaves and tiles below a committed head never change, so they need no common snapshot with it. */
export function createLogStore(pool: pg.Pool, directory: WorkspaceDirectory): LogStore {
  /** Opening a key costs more than a signature, and a key never changes. */
  const opened = new Map<string, LedgerSigner>();
  function openKey({ id, vault }: Workspace, vkey: string, rows: readonly LedgerKeyRow[]): LedgerSigner {
    const known = opened.get(`${id} ${vkey}`);
    if (known !== undefined) return known;
    const row = rows.find((candidate) => candidate.vkey === vkey);
    if (row === undefined) throw new StoredDamageError('a key of the log is missing');
    const signer = vault.openLedgerKey(vkey, row.wrapped_seed, algorithmOfLogKey(parseVkey(vkey)));
    opened.set(`${id} ${vkey}`, signer);
    return signer;
  }

  return {
    async snapshot(workspaceId): Promise<LogSnapshot> {
      const { vault } = await directory.get(workspaceId);
      const row = await readHead(pool, workspaceId);
      let head;
      try {
        head = checkHead(row, vault.mac, undefined);
      } catch (error) {
        throw untrusted(error);
      }
      return {
        head: row as HeadRow,
        root: frontierRoot(head.frontier),
        nodes: (nodes) =>
          readWorkspace(pool, workspaceId, (query) => createNodeReader(query, workspaceId, head.treeSize)(nodes)),
      };
    },

    async signer(workspaceId) {
      const workspace = await directory.get(workspaceId);
      return failClosed(async () => {
        const { history, rows } = await readWorkspace(pool, workspaceId, async (query) => ({
          history: await readKeyHistory(query, workspaceId),
          rows: await query<LedgerKeyRow>(
            'ledger_keys',
            'select vkey, wrapped_seed from answer_evidence.ledger_keys where workspace_id = $1',
            [workspaceId],
          ),
        }));
        return createTreeSigner(workspace, history, (vkey) => openKey(workspace, vkey, rows));
      });
    },

    async findLeaf(workspaceId, subject, id) {
      return readRow<LeafRow>(
        pool,
        'leaf',
        `select ${LEAF_COLUMNS} from answer_evidence.ledger_leaves
             where workspace_id = $1 and subject = $2 and id = $3`,
        [workspaceId, subject, id],
      );
    },

    async leavesOf(workspaceId, subject, treeSize) {
      return readRows<LeafRow>(
        pool,
        'leaves_of',
        `select ${LEAF_COLUMNS} from answer_evidence.ledger_leaves
             where workspace_id = $1 and subject = $2 and leaf_index < $3 order by leaf_index`,
        [workspaceId, subject, treeSize],
      );
    },

    async findCommit(workspaceId, leafIndex) {
      return readRow<{ from_size: number; tree_size: number; root: Uint8Array }>(
        pool,
        'commit_of',
        `select from_size, tree_size, root from answer_evidence.ledger_commits
             where workspace_id = $1 and tree_size > $2 order by tree_size limit 1`,
        [workspaceId, leafIndex],
      );
    },

    leaves: (workspaceId, from, to) =>
      readRows<LeafRow>(
        pool,
        'leaves',
        `select ${LEAF_COLUMNS} from answer_evidence.ledger_leaves
             where workspace_id = $1 and leaf_index >= $2 and leaf_index < $3 order by leaf_index`,
        [workspaceId, from, to],
      ),

    tileHashes: (workspaceId, level, from, to) =>
      readWorkspace(pool, workspaceId, (query) => readHashes(query, workspaceId, level, from, to)),

    redactions: (workspaceId, from, to) =>
      readRows<{ record_id: string; id: string; payload_json: string }>(
        pool,
        'redactions',
        `select e.record_id, e.id, e.payload_json from answer_evidence.ledger_leaves l
             join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.id = l.id
             where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.type = 'lifecycle_event'
               and e.event_type = 'redacted'
             order by l.leaf_index`,
        [workspaceId, from, to],
      ),

    async workspaceEntries(workspaceId, type) {
      return readRows<WorkspaceEntryRow>(
        pool,
        'workspace_entries',
        `select id, type, seq, core_json from answer_evidence.workspace_entries
             where workspace_id = $1 and type = $2 order by seq, id`,
        [workspaceId, type],
      );
    },
  };
}

/** Changes of a log's keys and its name, in order. Throws `StoredDamageError` for one without its leaf. */
async function readKeyHistory(query: Query, workspaceId: string): Promise<readonly (LogKeyChange | LogRenaming)[]> {
  const rows = await query<{ type: EntryType; core_json: string; leaf_index: number | null }>(
    'ledger_key_history',
    `select w.type, w.core_json, l.leaf_index from answer_evidence.workspace_entries w
       left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.id = w.id
         and l.subject = case w.type when 'epoch_opened' then w.id else $1 end
       where w.workspace_id = $1 and w.type in ('ledger_key_changed', 'epoch_opened') order by l.leaf_index`,
    [workspaceId],
  );
  return rows.map(({ type, core_json: core, leaf_index: leafIndex }) => {
    if (leafIndex === null) throw new StoredDamageError('an entry about the log’s keys has no leaf');
    if (type === 'epoch_opened') {
      const { origin, vkey } = readCore(epochCore, core, 'an entry that renamed the log').continued;
      return { change: 'renamed', from: { origin, vkey } };
    }
    const { vkey, change } = readCore(ledgerKeyCore, core, 'an entry about the log’s keys');
    return { vkey, change, leafIndex };
  });
}

async function readHead(pool: pg.Pool, workspaceId: string): Promise<HeadRow | undefined> {
  return failClosed(() =>
    readRow<HeadRow>(pool, 'head', `select ${HEAD_COLUMNS} from answer_evidence.ledger_heads where workspace_id = $1`, [
      workspaceId,
    ]),
  );
}

/** Nothing is signed on what is damaged: `StoredDamageError` becomes `content_damaged`. */
async function failClosed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoredDamageError) throw untrusted(error);
    throw error;
  }
}

function untrusted(cause: unknown): ServiceError {
  return new ServiceError(
    'content_damaged',
    'the head or the keys of the ledger cannot be trusted; tell the operator',
    {
      remedy: 'stop-process',
      cause,
    },
  );
}
