import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import type { Caller } from '@answer-evidence/access';
import { checkInstallation, checkStoredLedger, listStoredWorkspaces } from '@answer-evidence/postgres';
import { createRouteCaller } from '@answer-evidence/testing';
import { labelOf } from '../../libs/runtime/src/token-keys/token-keys.ts';
import { hookQueries, tablesNamed } from './hook-queries.ts';
import type { JudgedLedger, Judgement, Question } from './judge.ts';
import { openStoresOn } from './stores-on.ts';

const ledger = workerData as JudgedLedger;
const { workspaceId, tables } = ledger;

/** The table that is altered now. All others are as they were: what was read of them is remembered. */
let altered: string | undefined;
const remembered = new Map<string, Promise<unknown>>();
const namedBy = new Map<string, readonly string[]>();
/** How a connection opens its transaction, until a statement of it is sent: most are remembered, and need none. */
const openings = new WeakMap<pg.Client, (() => Promise<unknown>)[]>();
const SILENCE = Promise.resolve({ rows: [] });

hookQueries(({ client, text, values, setting, send }) => {
  const opening = openings.get(client);
  if (text.startsWith('begin') && text.endsWith('read only')) {
    openings.set(client, [send]);
    return SILENCE;
  }
  if (opening !== undefined && text.includes('set_config')) {
    opening.push(send);
    return SILENCE;
  }
  openings.delete(client);
  if (opening !== undefined && text === 'rollback') return SILENCE;
  const sendOpened = () => {
    // A statement in a transaction that did not open fails as well, and says so.
    for (const open of opening ?? []) open().catch(() => undefined);
    return send();
  };
  const named = namedBy.get(text) ?? tablesNamed(text, tables);
  namedBy.set(text, named);
  if (altered === undefined || named.length === 0 || named.includes(altered) || !text.startsWith('select'))
    return sendOpened();
  const key = JSON.stringify([setting, text, values]);
  const known = remembered.get(key);
  if (known === undefined) {
    const result = sendOpened();
    remembered.set(key, result);
    return result;
  }
  if (opening !== undefined) openings.set(client, opening);
  return known;
});

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

/** The checks that fail, the ledger check's findings, or why it does not work at all. */
async function judgeOpened({ recordId, table }: Question): Promise<Judgement> {
  // A process keeps the workspaces that it has opened; what happens to those shows in one that starts now.
  const { stores, call } = table === 'workspaces' ? await open() : lasting;
  altered = table === 'workspaces' ? undefined : table;
  try {
    const named: string[] = [];
    let verify: string;
    try {
      const reply = await call('GET', `/api/answer-audit-logs/${recordId}/ledger/verify`, { as: manager });
      verify = String(reply.status);
      const { checks = [] } = (reply.body ?? {}) as { checks?: { check: string; outcome: string }[] };
      named.push(...checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check));
    } catch (error) {
      verify = `500 ${String(error)}`;
    }
    try {
      const workspaces = await listStoredWorkspaces(stores.pool, stores.vault);
      const workspace = workspaces.find(({ id }) => id === workspaceId)?.open();
      if (workspace === undefined) named.push('ledger check: the workspace is gone');
      else {
        const report = await checkStoredLedger(stores.pool, workspace, () => Promise.resolve());
        named.push(...report.findings.map(({ check }) => `ledger check: ${check}`));
      }
      named.push(...(await checkInstallation(stores.pool, stores.vault, labelOf)));
    } catch (error) {
      named.push(`the ledger cannot be read: ${String(error)}`);
    }
    return { named, verify };
  } finally {
    if (stores !== lasting.stores) await stores.close();
  }
}

/** Answers a question; null ends the thread. */
async function take(question: Question | null): Promise<void> {
  if (question !== null) return parentPort?.postMessage(await judge(question));
  altered = undefined;
  await lasting.stores.close();
  parentPort?.close();
}

// A rejection ends the thread, and the test with its error.
parentPort?.on('message', (question: Question | null) => void take(question));
