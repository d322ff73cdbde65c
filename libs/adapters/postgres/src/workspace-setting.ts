import type pg from 'pg';
import type { Statement } from './append/insert-rows.ts';

/** What row-level security goes by: the workspace of a transaction, or the one token that a request presents. */
type FenceSetting = 'answer_evidence.workspace_id' | 'answer_evidence.token_id';

type MarkedClient = pg.ClientBase & { isSpread?: boolean };

/** Notes whether a connection leads to a database whose tables may be spread over the nodes of Citus. */
export function markSpread(client: pg.ClientBase, isSpread: boolean): void {
  (client as MarkedClient).isSpread = isSpread;
}

/** Whether the tables behind a connection may be spread over nodes. */
export function isSpread(client: pg.ClientBase): boolean {
  return (client as MarkedClient).isSpread === true;
}

/**
 * Sets it for the rest of the transaction, which has begun. Citus hands `set local` on to the nodes, together with the
 * `begin` that it sends them; of `set_config` they never hear.
 */
export function fenceQuery(client: pg.ClientBase, setting: FenceSetting, value: string): pg.QueryConfig {
  return isSpread(client)
    ? { text: setLocalText(setting, value) }
    : { name: 'set_config', text: 'select set_config($1, $2, true)', values: [setting, value] };
}

/** The same as the first statement of a transaction on plain PostgreSQL. */
export function fenceStatement(workspaceId: string): Statement {
  const text = `select set_config('answer_evidence.workspace_id', $1, true)`;
  return { name: 'transact_set_workspace', text, values: [workspaceId] };
}

/** The same where tables are spread, with `begin`: without a block each statement would commit by itself. */
export function fencedBlock(workspaceId: string): readonly Statement[] {
  return [BEGIN, { name: '', text: setLocalText('answer_evidence.workspace_id', workspaceId), values: [] }];
}

const BEGIN: Statement = { name: 'transact_begin', text: 'begin', values: [] };

/**
 * A statement as a connection takes it. What an insert selects Citus copies to the nodes, which no table with row-level
 * security takes; where rows are to be returned, it inserts them there.
 */
export function statementFor(client: pg.ClientBase, text: string): string {
  return isSpread(client) && insertsSelected(text) && !RETURNED.test(text) ? `${text} returning true` : text;
}

function insertsSelected(text: string): boolean {
  const [, ...inserts] = INSERTING.test(text) ? text.split(/\binsert into /) : [];
  return inserts.some((rows) => /\b(?:select|values)\b/.exec(rows)?.[0] === 'select');
}

const INSERTING = /^\s*(?:with|insert)\b/;
const RETURNED = /\breturning\b|\bon conflict\b/;

/** A UUID, or nothing. `set` takes no parameter. */
const VALUE = /^[0-9a-f-]*$/;

function setLocalText(setting: FenceSetting, value: string): string {
  if (!VALUE.test(value)) throw new TypeError('row-level security goes by UUIDs');
  return `set local ${setting} = '${value}'`;
}
