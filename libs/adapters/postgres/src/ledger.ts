import type pg from 'pg';
import { formatEntry } from '@answer-evidence/commitments';
import { ServiceError, settingsCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  type AppendedEntries,
  type AppendedEntry,
  type VersionedSettings,
} from '@answer-evidence/ledger';
import {
  type AppendOutcome,
  type Clock,
  type Ledger,
  type LogStore,
  proveLeaves,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import type { CommittedBatch } from './append/batch-committer.ts';
import { type CommittedHead, LogAppender } from './append/log-appender.ts';

/** A ledger that can be brought to rest. */
export type PostgresLedger = Ledger & {
  /** The settings that this process believes in force. */
  settings(workspaceId: string): Promise<VersionedSettings>;
  /** Resolves when nothing is waiting or in flight. */
  drain(): Promise<void>;
};

/** Opens the write path on PostgreSQL: one group-committing writer a workspace. `onFatal` must end the process. */
export function createPostgresLedger(deps: {
  readonly pool: pg.Pool;
  readonly directory: WorkspaceDirectory;
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly onFatal: (error: Error) => void;
  /** Called when entries of a workspace were committed, which left a head, or may have been. */
  readonly onCommitted?: (workspaceId: string, head?: CommittedHead) => void;
  readonly onBatch?: (batch: CommittedBatch) => void;
  /** Called when jobs were committed with records, so that they need not wait for the next look into the outbox. */
  readonly onJobs?: () => void;
  readonly predict?: boolean;
}): PostgresLedger {
  const writers = new Map<string, LogAppender>();

  async function writerOf(workspaceId: string): Promise<LogAppender> {
    const known = writers.get(workspaceId);
    if (known !== undefined) return known;
    const workspace = await deps.directory.get(workspaceId);
    const raced = writers.get(workspaceId);
    if (raced !== undefined) return raced;
    const writer = new LogAppender({
      pool: deps.pool,
      workspace,
      nowMicros: () => deps.clock.nowMicros(),
      readSettings: () => readSettings(deps.logs, workspaceId),
      readSigner: () => deps.logs.signer(workspaceId),
      readAppended: (command) => readAppended(deps.logs, workspace, command),
      onFatal: deps.onFatal,
      onCommitted: (head) => deps.onCommitted?.(workspaceId, head),
      ...(deps.onBatch === undefined ? {} : { onBatch: deps.onBatch }),
      ...(deps.onJobs === undefined ? {} : { onJobs: deps.onJobs }),
      ...(deps.predict === undefined ? {} : { predict: deps.predict }),
    });
    writers.set(workspaceId, writer);
    return writer;
  }

  return {
    // Without an await for a writer that is known: this is on the path of every create.
    append: (workspaceId, prepare) =>
      writers.get(workspaceId)?.append(prepare) ?? writerOf(workspaceId).then((writer) => writer.append(prepare)),
    appendAll: (workspaceId, commands) => writerOf(workspaceId).then((writer) => writer.appendAll(commands)),
    settings: async (workspaceId) => (await writerOf(workspaceId)).settings(),
    drain: async () => {
      await Promise.all([...writers.values()].map((writer) => writer.drain()));
    },
  };
}

/** The settings in force: the core of the newest `settings_changed` entry. */
export async function readSettings(logs: LogStore, workspaceId: string): Promise<VersionedSettings> {
  const entries = await logs.workspaceEntries(workspaceId, 'settings_changed');
  const newest = entries.at(-1);
  if (newest === undefined)
    throw new ServiceError('content_damaged', 'the workspace has no settings; report the request_id to the operator', {
      remedy: 'give-up',
    });
  const core = settingsCore.parse(parseJsonText(newest.core_json));
  const leaf = await logs.findLeaf(workspaceId, workspaceId, newest.id);
  return { version: core.version, values: core.settings, updatedAt: leaf?.at ?? 0 };
}

/** The outcome of a command that an attempt with a lost reply has appended, with proofs at the log's present size. */
async function readAppended(logs: LogStore, workspace: Workspace, command: AppendCommand): Promise<AppendOutcome> {
  const snapshot = await logs.snapshot(workspace.id);
  const tree = { size: snapshot.head.tree_size, root: snapshot.root };
  const entries = await Promise.all(
    command.entryIds.map(async (id): Promise<AppendedEntry> => {
      const leaf = await logs.findLeaf(workspace.id, command.subject, id);
      if (leaf === undefined)
        throw new ServiceError(
          'content_damaged',
          'an appended entry is missing; report the request_id to the operator',
          {
            remedy: 'give-up',
          },
        );
      const [proof = []] = await proveLeaves(snapshot.nodes, [leaf], tree);
      return {
        type: leaf.type,
        id,
        leafIndex: leaf.leaf_index,
        at: leaf.at,
        hash: leaf.hash,
        leafHash: leaf.leaf_hash,
        entry: formatEntry(leaf),
        proof,
      };
    }),
  );
  const checkpoint = await (await logs.signer(workspace.id)).signReceipt(tree);
  // Only a command that has entries can be found appended.
  return {
    kind: 'appended',
    command,
    entries: entries as readonly AppendedEntry[] as AppendedEntries,
    checkpoint,
    treeSize: tree.size,
  };
}
