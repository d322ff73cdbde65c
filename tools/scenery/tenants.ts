import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Scope, SCOPES } from '@answer-evidence/contracts';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { issueUserToken } from '@answer-evidence/stage-workspace';
import { createWorkspaceWithManager } from '../../libs/runtime/src/open/first-workspace.ts';
import type { Stores } from '../../libs/runtime/src/open/open-stores.ts';
import { until } from './service-process.ts';
import { openStoresOn } from './stores-on.ts';
import { answer, type Reply, type TestService } from './test-service.ts';

/** Every set of scopes that a token can have. */
export const SCOPE_SETS: readonly (readonly Scope[])[] = Array.from({ length: 2 ** SCOPES.length - 1 }, (_, n) =>
  SCOPES.filter((_scope, bit) => ((n + 1) >> bit) % 2 === 1),
);

/** What of one application of a tenant others might reach for. */
export type Target = {
  readonly slug: string;
  readonly applicationKey: string;
  readonly recordId: string;
  readonly idempotencyKey: string;
  readonly tokenId: string;
  /** An entry about the tenant. */
  readonly entryId: string;
  readonly deadLetterId: string;
  /** An asset beside the record, with a content. */
  readonly assetId: string;
  /** A completed reconciliation. */
  readonly runId: string;
  /** A member of the tenant whom nobody needs. */
  readonly memberId: string;
  /** A view that the tenant shares. */
  readonly viewId: string;
  /** A hold that covers no record. */
  readonly holdId: string;
  /** Where notifications of the tenant go, and one of them. */
  readonly targetId: string;
  readonly notificationId: string;
  /** Where entries of the tenant are sent. */
  readonly streamId: string;
  /** A request for a second person that was withdrawn. */
  readonly approvalId: string;
  readonly cursor: string;
  /** What no reply to somebody else may hold. */
  readonly marks: readonly string[];
};

/** A tenant with two applications. Tokens by who has them. */
export type Tenant = {
  readonly workspaceId: string;
  readonly manager: string;
  readonly member: string;
  /** Tokens of the first application, by its scopes joined by spaces. */
  readonly scoped: Readonly<Record<string, string>>;
  /** Tokens with every scope. */
  readonly first: string;
  readonly second: string;
  /** What belongs to the first application. */
  readonly target: Target;
};

/** A token that was good before it expired, made as the service would have made it a day ago. */
export async function issueExpired(stores: Stores, workspaceId: string, userId: string): Promise<string> {
  const day = 86_400_000_000;
  const clock = { nowMicros: () => systemClock.nowMicros() - day };
  const actor = { kind: 'service', id: 'test', token_id: null } as const;
  const deps = { ledger: stores.ledger, clock, random: systemRandom };
  return (await issueUserToken(deps, workspaceId, { id: userId }, `expired-${randomUUID()}`, 60, actor)).token;
}

/** Makes a second tenant as an operator would, and furnishes it and the first one. */
export async function openTenants(service: TestService): Promise<{ readonly ours: Tenant; readonly theirs: Tenant }> {
  const { stores } = await openStoresOn(service);
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-tenant-'));
  try {
    const file = join(folder, 'config.yaml');
    // The host may have several such tenants, of other test files.
    const wanted = {
      slug: `other-tenant-${randomUUID().slice(0, 8)}`,
      displayName: 'Other tenant of markers',
      username: 'other-manager',
    };
    await createWorkspaceWithManager(stores, service.baseUrl, wanted, file);
    const token = /token: (aeu_\S+)/.exec(await readFile(file, 'utf8'))?.[1] ?? '';
    const ours = await furnish(service, stores, service.managerToken, 'ours');
    return { ours, theirs: await furnish(service, stores, token, 'theirs') };
  } finally {
    await stores.close();
    await rm(folder, { recursive: true });
  }
}

async function furnish(service: TestService, stores: Stores, manager: string, name: string): Promise<Tenant> {
  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await service.call(method, path, { token: manager, ...(body === undefined ? {} : { body }) });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply;
  };
  const { workspace } = (await call('GET', '/api/whoami')).body;
  const member = await addMember(service, stores, manager, workspace.id, `${name}-member`);
  const memberId = (await call('POST', '/api/members', { username: `${name}-unneeded` })).body.id;
  const key = { first: `${name}-first-app`, second: `${name}-second-app` };
  const scoped: Record<string, string> = {};
  let tokenId = '';
  for (const scopes of SCOPE_SETS) {
    const bound = { kind: 'application', application_key: key.first, scopes };
    const issued = await call('POST', '/api/tokens', { ...bound, name: `${name} ${scopes.join(' ')}` });
    scoped[scopes.join(' ')] = issued.body.token;
    tokenId = issued.body.id;
  }
  const bound = { kind: 'application', application_key: key.second, scopes: SCOPES };
  const second = (await call('POST', '/api/tokens', { ...bound, name: `${name} second` })).body.token;
  const idempotencyKey = `${name}-idempotency-key`;
  const records = [];
  for (const [n, application_key] of [key.second, key.first, key.first, key.second].entries()) {
    const more = n === 1 ? { application_key, idempotency_key: idempotencyKey } : { application_key };
    records.push(
      (await call('POST', '/api/answer-audit-logs', answer(`${name}-question-text`, `${name}-answer-text`, more))).body,
    );
  }
  const evidence = `/api/answer-audit-logs/${records[1].id}/evidence-assets/upload`;
  const asset = (await call('POST', evidence, { segments: [`${name}-evidence-text`], name: `${name}-evidence-name` }))
    .body;
  const runId = await addRun(call, key.first, idempotencyKey);
  const view = { name: `${name}-view`, filters: { application_key: key.first } };
  const viewId = (await service.call('POST', '/api/search/views', { token: member, body: view })).body.id;
  const held = { matter: `${name}-matter`, reason: 'a test', filters: { application_key: 'nobody' } };
  const holdId = (await call('POST', '/api/holds', held)).body.id;
  const hook = { name: `${name}-target`, url: `https://hooks.example.com/${name}-path` };
  const targetId = (await call('POST', '/api/notifications/targets', hook)).body.id;
  const notificationId = (await call('POST', `/api/notifications/targets/${targetId}/test`)).body.notification_id;
  const destination = { type: 'https', url: `https://siem.example.com/${name}-path` };
  const streamId = (await call('POST', '/api/streams', { name: `${name}-stream`, destination })).body.id;
  const approvalId = await addApproval(service, stores, manager, workspace.id, name, records[1].id);
  const cursor = (await call('GET', '/api/answer-audit-logs?size=1')).body.next_cursor;
  return {
    workspaceId: workspace.id,
    manager,
    member,
    scoped,
    first: scoped[SCOPES.join(' ')] ?? '',
    second,
    target: {
      slug: workspace.slug,
      applicationKey: key.first,
      recordId: records[1].id,
      idempotencyKey,
      tokenId,
      entryId: (await call('GET', '/api/tenant/entries?size=1')).body.items[0].id,
      deadLetterId: await addDeadLetter(service, workspace.id),
      runId,
      assetId: asset.id,
      memberId,
      viewId,
      holdId,
      targetId,
      notificationId,
      streamId,
      approvalId,
      cursor,
      marks: [
        workspace.id,
        holdId,
        `${name}-matter`,
        runId,
        key.first,
        idempotencyKey,
        `${name}-question-text`,
        `${name}-answer-text`,
        `${name}-evidence-text`,
        `${name}-evidence-name`,
        `${name}-why`,
        ...[asset.id, asset.content_hash, asset.evidence_hash, asset.ledger.leaf_hash],
        ...[records[1], records[2]].flatMap(({ id, record_hash: hash, ledger }) => [id, hash, ledger.leaf_hash]),
      ],
    },
  };
}

/** Reconciles the record of a key over the hour around now, and waits for it. */
async function addRun(
  call: (method: string, path: string, body?: object) => Promise<Reply>,
  applicationKey: string,
  idempotencyKey: string,
): Promise<string> {
  const path = '/api/reconciliations/runs';
  const { id } = (await call('POST', path, runRequest(applicationKey, idempotencyKey))).body;
  await until('a run', async () => (await call('GET', `${path}/${id}`)).body.status === 'completed');
  return id;
}

/** A request for a run with one reference that occurs now, in a window of an hour around it. */
export function runRequest(applicationKey: string, referenceId: string): object {
  const now = Date.now();
  return {
    application_key: applicationKey,
    window_start: new Date(now - 1_800_000).toISOString(),
    window_end: new Date(now + 1_800_000).toISOString(),
    match_on: 'idempotency_key',
    references: [{ reference_id: referenceId, occurred_at: new Date(now).toISOString() }],
  };
}

/** Adds a manager, who asks for a redaction of the record and withdraws it; the id of the request. */
async function addApproval(
  service: TestService,
  stores: Stores,
  manager: string,
  workspaceId: string,
  name: string,
  recordId: string,
): Promise<string> {
  const token = await addMember(service, stores, manager, workspaceId, `${name}-second-manager`, 'manager');
  const event = { answer_log_id: recordId, event_type: 'redacted', reason: `${name}-asked-reason` };
  const asked = await service.call('POST', '/api/approvals', { token, body: { reason: `${name}-why`, event } });
  if (asked.status !== 201) throw new Error(asked.text);
  const { id } = asked.body;
  await service.call('POST', `/api/approvals/${id}/withdraw`, { token });
  return id;
}

async function addMember(
  service: TestService,
  stores: Stores,
  manager: string,
  workspaceId: string,
  username: string,
  role: 'manager' | 'member' = 'member',
): Promise<string> {
  const added = await service.call('POST', '/api/members', { token: manager, body: { username, role } });
  if (added.status !== 201) throw new Error(added.text);
  const { id } = added.body;
  const deps = { ledger: stores.ledger, clock: systemClock, random: systemRandom };
  const actor = { kind: 'service', id: 'test', token_id: null } as const;
  return (await issueUserToken(deps, workspaceId, { id }, username, 3600, actor)).token;
}

/** A job of the workspace that was given up, with these words; its id. */
export async function addDeadLetter(service: TestService, workspaceId: string, detail = 'for a test'): Promise<string> {
  const id = randomUUID();
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into answer_evidence.dead_letters
         (workspace_id, id, topic, attempts, reason_code, reason_detail, created_at, failed_at)
         values ($1, $2, 'trust.run', 8, 'internal', $3, 1, 2)`,
      [workspaceId, id, detail],
    );
  } finally {
    await client.end();
  }
  return id;
}
