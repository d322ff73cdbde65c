import { parentPort, workerData } from 'node:worker_threads';
import type { Caller } from '@answer-evidence/access';
import type { Workspace } from '@answer-evidence/ports';
import { checkInstallation, checkStoredLedger, listStoredWorkspaces } from '@answer-evidence/postgres';
import { type CallRoute, createRouteCaller } from '@answer-evidence/testing';
import type { Stores } from '../../libs/runtime/src/open/open-stores.ts';
import { labelOf } from '../../libs/runtime/src/token-keys/token-keys.ts';
import { openStoresOn } from '../../tools/scenery/stores-on.ts';
import type { JudgedLedger, Judgement, Question } from './judge.ts';
import { rememberReads } from './remember-reads.ts';

const ledger = workerData as JudgedLedger;
const { workspaceId, tables } = ledger;

/** All tables but the altered one are as they were. */
const reads = rememberReads(tables);
/** Answers that were given before, and the tables that they were read from: they hold while another one is altered. */
const answers = new Map<string, { readonly answer: unknown; readonly readFrom: ReadonlySet<string> }>();

/** What is asked, with its routes. */
async function open() {
  const { stores, openStages } = await openStoresOn(ledger);
  try {
    return { stores, call: createRouteCaller((await openStages(['trust'])).flatMap((stage) => stage.routes)) };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** For all questions that need no fresh start. */
const lasting = await open();

const manager: Caller = {
  kind: 'user',
  workspaceId,
  tokenId: workspaceId,
  userId: workspaceId,
  username: 'manager',
  role: 'manager',
  expiresAt: Number.MAX_SAFE_INTEGER,
};

/** What is said now; a process that does not start on what is stored says why, and nothing else. */
async function judge(question: Question): Promise<Judgement> {
  try {
    return await judgeOpened(question);
  } catch (error) {
    return { named: [`nothing starts: ${String(error)}`], verify: '503' };
  }
}

/** The answer to what is named by `key`; it is asked again only if it was read from the table that is altered. */
async function answerOnce<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key);
  const { altered } = reads;
  if (known !== undefined && altered !== undefined && !known.readFrom.has(altered)) return known.answer as T;
  reads.readNow = new Set();
  const answer = await ask();
  if (altered !== undefined && !reads.readNow.has(altered)) answers.set(key, { answer, readFrom: reads.readNow });
  return answer;
}

/**
 * The checks that fail, the ledger check's findings, or why it does not work at all. Where a check of the record names
 * the change, the ledger is not asked as well.
 */
async function judgeOpened({ recordId, table }: Question): Promise<Judgement> {
  // A process keeps the workspaces that it has opened; what happens to those shows in one that starts now.
  const { stores, call } = table === 'workspaces' ? await open() : lasting;
  reads.altered = table === 'workspaces' ? undefined : table;
  try {
    const { verify, failed } = await answerOnce(`record ${recordId}`, () => verifyRecord(call, recordId));
    if (failed.length > 0) return { named: failed, verify };
    try {
      const workspace = await answerOnce('workspace', () => openWorkspace(stores));
      const ledger = await answerOnce('ledger', () => checkLedger(stores, workspace));
      const installation = await answerOnce('installation', () =>
        checkInstallation(stores.pool, stores.vault, labelOf),
      );
      return { named: [...ledger, ...installation], verify };
    } catch (error) {
      return { named: [`the ledger cannot be read: ${String(error)}`], verify };
    }
  } finally {
    if (stores !== lasting.stores) await stores.close();
  }
}

/** How `verify` responds, and the checks of the record that fail. */
async function verifyRecord(call: CallRoute, recordId: string) {
  try {
    const reply = await call('GET', `/api/answer-audit-logs/${recordId}/ledger/verify`, { as: manager });
    const { checks = [] } = (reply.body ?? {}) as { checks?: { check: string; outcome: string }[] };
    const failed = checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check);
    return { verify: String(reply.status), failed };
  } catch (error) {
    return { verify: `500 ${String(error)}`, failed: [] };
  }
}

async function openWorkspace({ pool, vault }: Stores): Promise<Workspace | undefined> {
  return (await listStoredWorkspaces(pool, vault)).find(({ id }) => id === workspaceId)?.open();
}

/** The findings of the ledger check. */
async function checkLedger({ pool }: Stores, workspace: Workspace | undefined): Promise<readonly string[]> {
  if (workspace === undefined) return ['ledger check: the workspace is gone'];
  const { findings } = await checkStoredLedger(pool, workspace, () => Promise.resolve());
  return findings.map(({ check }) => `ledger check: ${check}`);
}

/** Answers a question; null ends the thread. */
async function take(question: Question | null): Promise<void> {
  if (question !== null) return parentPort?.postMessage(await judge(question));
  reads.altered = undefined;
  await lasting.stores.close();
  parentPort?.close();
}

// A rejection ends the thread, and the test with its error.
parentPort?.on('message', (question: Question | null) => void take(question));
