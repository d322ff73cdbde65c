import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readToken, startProcess } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const PASSWORD = 'four words of a test';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-approvals-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an act that needs two people, in a service that is killed', () => {
  it(
    'is asked for and done once, or not at all, wherever the kill falls, and never by one person',
    async () => {
      const dataDir = join(folder, 'data');
      await copyReadyData(dataDir);
      let service = startProcess({ dataDir });
      let baseUrl = await service.ready;
      const manager = await readToken(dataDir);
      const call = async (method: string, path: string, token: string, body?: object) => {
        const response = await fetch(`${baseUrl}${path}`, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return {
          status: response.status,
          body: text.startsWith('{"id"') && text.includes('\n{') ? text : JSON.parse(text),
        };
      };
      const kill = async () => {
        service.kill('SIGKILL');
        await service.exited;
        service = startProcess({ dataDir });
        baseUrl = await service.ready;
      };

      const added = await call('POST', '/api/members', manager, { username: 'second', role: 'manager' });
      const { secret } = added.body.password_link;
      await call('POST', '/api/auth/password', manager, { secret, password: PASSWORD });
      const login = { username: 'second', password: PASSWORD };
      const { token: second } = (await call('POST', '/api/auth/login', manager, login)).body;
      const answer_audit_two_people = { acts: ['void', 'redaction', 'hold_release', 'export'] };
      await call('PATCH', '/api/tenant/settings', manager, { answer_audit_two_people });
      const hold = { matter: 'a claim', reason: 'announced', filters: {} };
      const { id: holdId } = (await call('POST', '/api/holds', manager, hold)).body;
      const { id } = (await call('POST', '/api/answer-audit-logs', manager, answer('q', 'a'))).body;
      const event = { answer_log_id: id, event_type: 'voided' };
      const asked = await call('POST', '/api/approvals', manager, { reason: 'a test', event });
      expect(asked.status).toBe(201);

      // Between request and approval.
      await kill();
      const read = () => call('GET', `/api/approvals/${asked.body.id}`, manager);
      expect((await read()).body).toMatchObject({ state: 'open', request: { event: { version: 0 } } });
      const own = await call('POST', `/api/approvals/${asked.body.id}/approve`, manager);
      expect(own.body.code).toBe('approval_not_allowed');
      const alone = await call('POST', `/api/answer-audit-logs/${id}/events`, manager, { event_type: 'voided' });
      expect(alone.body.code).toBe('approval_required');

      // While it is approved: the response is lost, and either both are in the log or neither is.
      const lost = call('POST', `/api/approvals/${asked.body.id}/approve`, second).catch(() => undefined);
      await kill();
      await lost;
      const record = async () => (await call('GET', `/api/answer-audit-logs/${id}`, manager)).body;
      expect((await read()).body.state === 'approved').toBe((await record()).status === 'voided');
      const repeated = await call('POST', `/api/approvals/${asked.body.id}/approve`, second);
      expect([200, 409]).toContain(repeated.status);
      const { events } = await record();
      expect(events).toMatchObject([{ event_type: 'voided', approval: { approval_id: asked.body.id } }]);
      expect((await read()).body.entry_ids).toEqual([events[0].id]);

      // The same of a hold: its release and who approved it are one, and there is one release.
      const release = { hold_id: holdId, reason: 'settled' };
      const releasing = await call('POST', '/api/approvals', manager, { reason: 'a test', hold_release: release });
      await kill();
      const ownRelease = await call('POST', `/api/holds/${holdId}/release`, manager, { reason: 'settled' });
      expect(ownRelease.body.code).toBe('approval_required');
      const lostRelease = call('POST', `/api/approvals/${releasing.body.id}/approve`, second).catch(() => undefined);
      await kill();
      await lostRelease;
      await call('POST', `/api/approvals/${releasing.body.id}/approve`, second);
      const decided = (await call('GET', `/api/approvals/${releasing.body.id}`, manager)).body;
      const released = (await call('GET', `/api/tenant/entries?type=hold_released`, manager)).body.items;
      expect([decided.state, decided.entry_ids]).toEqual([
        'approved',
        released.map((entry: { id: string }) => entry.id),
      ]);
      expect(released).toHaveLength(1);
      expect((await call('POST', '/api/trust/ledger-checks', manager)).body.findings).toEqual([]);

      // An approved export that was under way is taken, or is still there to be taken: once in both cases.
      const wanted = { format: 'jsonl', application_key: 'support-bot' };
      const exporting = await call('POST', '/api/approvals', manager, { reason: 'a test', export: wanted });
      await call('POST', `/api/approvals/${exporting.body.id}/approve`, second);
      await kill();
      const path = '/api/answer-audit-logs/export?format=jsonl&application_key=support-bot';
      const take = (by: string) => call('GET', `${path}&approval_id=${exporting.body.id}`, by);
      expect((await take(second)).body.code).toBe('approval_not_allowed');
      expect((await call('GET', path, manager)).body.code).toBe('approval_required');
      const lostExport = take(manager).catch(() => undefined);
      await kill();
      await lostExport;
      await take(manager);
      const used = (await call('GET', `/api/approvals/${exporting.body.id}`, manager)).body;
      const exports = (await call('GET', '/api/tenant/entries?type=export_made', manager)).body.items;
      expect([used.state, used.used, exports.length]).toEqual(['approved', true, 1]);
      expect((await take(manager)).body.code).toBe('approval_not_open');
      expect((await call('POST', '/api/trust/ledger-checks', manager)).body.findings).toEqual([]);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    6 * MINUTES_MS,
  );
});
