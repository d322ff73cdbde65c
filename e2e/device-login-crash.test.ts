import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readToken, startProcess } from '../tools/scenery/service-process.ts';
import { PASSWORD } from './support/console.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-device-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a sign-in of a program whose service is killed', () => {
  it(
    'waits on, stays approved, and gives one token',
    async () => {
      const dataDir = join(folder, 'data');
      await copyReadyData(dataDir);
      let service = startProcess({ dataDir });
      let baseUrl = await service.ready;
      const token = await readToken(dataDir);
      const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
        const response = await fetch(`${baseUrl}${path}`, {
          method,
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
      };
      const restart = async () => {
        service.kill('SIGKILL');
        await service.exited;
        service = startProcess({ dataDir });
        baseUrl = await service.ready;
      };
      const bearer = { Authorization: `Bearer ${token}` };
      const made = await call('POST', '/api/members', { username: 'anna' }, bearer);
      await call('POST', '/api/auth/password', { secret: made.body.password_link.secret, password: PASSWORD });
      const begun = await call('POST', '/api/auth/device', { client_name: 'a program' });
      expect(begun.status).toBe(200);
      const ask = () => call('POST', '/api/auth/device/token', { device_code: begun.body.device_code });
      expect((await ask()).body).toMatchObject({ code: 'authorization_pending' });
      await restart();
      const opened = await call('POST', '/console/session', { workspace: 'demo', name: 'anna', password: PASSWORD });
      const headers = {
        cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
        'x-csrf-token': String(opened.body.csrf_token),
      };
      const decision = { user_code: begun.body.user_code, decision: 'approve' };
      expect((await call('POST', '/console/device-logins', decision, headers)).status).toBe(204);
      await restart();
      const replies = await Promise.all([1, 2, 3].map(ask));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      const { body: issued } = replies.find(({ status }) => status === 200) ?? { body: {} };
      await restart();
      expect((await ask()).status).toBe(404);
      const whoami = await call('GET', '/api/whoami', undefined, { Authorization: `Bearer ${String(issued.token)}` });
      expect(whoami.body).toMatchObject({ username: 'anna', token_id: issued.id });
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    2 * MINUTES_MS,
  );
});
