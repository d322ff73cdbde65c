import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import { readToken, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { openMailbox } from './support/mailbox.ts';
import { copyReadyData } from './support/ready-data.ts';
import { openReceiver, verifyDelivery } from './support/webhook-receiver.ts';

const MINUTES_MS = 60_000;
const RECORDS = 40;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-notifications-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('notifications of a service that is killed three times', () => {
  it(
    'arrive at least once each, in the order of each record',
    async () => {
      const dataDir = join(folder, 'data');
      await copyReadyData(dataDir);
      const environment = { SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*', SERVICE_RATE_LIMITS: 'off' };
      let service = startProcess({ dataDir, environment });
      let baseUrl = await service.ready;
      const token = await readToken(dataDir);
      const call = async (path: string, body: object) => {
        const response = await fetch(`${baseUrl}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        });
        expect([path, response.status < 300]).toEqual([path, true]);
        return (await response.json()) as { readonly id: string; readonly secret: string };
      };
      const kill = async () => {
        service.kill('SIGKILL');
        await service.exited;
        service = startProcess({ dataDir, environment });
        baseUrl = await service.ready;
      };

      const receiver = await openReceiver();
      const { secret } = await call('/api/notifications/targets', { name: 'kept', url: receiver.url });
      const ids: string[] = [];
      for (let n = 0; n < RECORDS; n++) {
        const { id } = await call('/api/answer-audit-logs', answer(`question ${n}`, 'an answer'));
        for (const event_type of ['voided', 'redacted'])
          await call(`/api/answer-audit-logs/${id}/events`, { event_type });
        ids.push(id);
        // Before anything was delivered, while something is, and with the rest due.
        if ([0, 15, 30].includes(n)) await kill();
      }
      for (const id of ids)
        await receiver.waitFor(({ body }) => body.type === 'record.redacted' && body.data['subject'] === id);
      for (const id of ids) {
        const types = receiver.received.filter(({ body }) => body.data['subject'] === id).map(({ body }) => body.type);
        expect([...new Set(types)]).toEqual(['record.voided', 'record.redacted']);
      }
      for (const one of receiver.received) verifyDelivery(secret, one);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      await receiver.close();
    },
    6 * MINUTES_MS,
  );
});

it(
  'a service that is killed when a target has a notification, and before that is noted, sends it again as the same',
  async () => {
    const dataDir = join(folder, 'between');
    await copyReadyData(dataDir);
    const mailbox = await openMailbox();
    const environment = {
      ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*', SERVICE_RATE_LIMITS: 'off' },
      ...{ SERVICE_SMTP_URL: mailbox.url, SERVICE_SMTP_FROM: 'evidence@example.com' },
    };
    let service = startProcess({ dataDir, environment });
    const baseUrl = await service.ready;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await readToken(dataDir)}` };
    const call = async (path: string, body: object) => {
      const response = await fetch(`${baseUrl}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([path, response.status < 300]).toEqual([path, true]);
      return (await response.json()) as { readonly id: string };
    };
    const ids: string[] = [];
    let isKilled = false;
    let arrived = (): void => undefined;
    const receiver = await listen((request, response) => {
      request.resume().on('end', () => {
        ids.push(String(request.headers['webhook-id']));
        // The first time nobody responds: it has arrived, and the service does not know.
        if (isKilled) response.writeHead(204).end();
        arrived();
      });
    });
    const event_types = ['record.voided'];
    await call('/notifications/targets', { name: 'hook', url: receiver.url, event_types });
    const address = 'anna@example.com';
    const { id: target } = await call('/notifications/mail-targets', { name: 'mail', address, event_types });
    const { text } = await mailbox.waitFor(({ to }) => to === address);
    await call(`/notifications/targets/${target}/confirm`, { code: /^[0-9a-f]{24}$/m.exec(text)?.[0] ?? '' });
    mailbox.holds(() => !isKilled);
    const { id } = await call('/answer-audit-logs', answer('question', 'an answer'));
    await call(`/answer-audit-logs/${id}/events`, { event_type: 'voided' });
    const mails = () => mailbox.received.filter((one) => one.text.includes(id));
    await mailbox.waitFor((one) => one.text.includes(id));
    while (ids.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
    service.kill('SIGKILL');
    await service.exited;
    isKilled = true;
    service = startProcess({ dataDir, environment });
    await service.ready;
    await until('both came again', () => ids.length > 1 && mails().length > 1, MINUTES_MS);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(mails().map(({ headers: of }) => of.get('message-id'))).size).toBe(1);
    expect(mails()[0]?.headers.get('message-id')).toBe(`<${ids[0]}@example.com>`);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await receiver.close();
    await mailbox.close();
  },
  4 * MINUTES_MS,
);
