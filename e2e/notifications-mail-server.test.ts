import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readToken, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { describeWithExim, openExim } from './support/exim.ts';
import { openReadyData } from './support/ready-data.ts';
import { PRIVATE, TARGETS } from './support/told-target.ts';

const FROM = 'evidence@example.com';
const PASSWORD = 'p:ss/w%rd';

describeWithExim('a mail server that asks for STARTTLS and a login', () => {
  let exim: Awaited<ReturnType<typeof openExim>>;
  let dataDir: string;
  let service: ServiceProcess;
  let baseUrl: string;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    [exim, dataDir] = await Promise.all([openExim(PASSWORD), openReadyData('mail-server')]);
    service = startProcess({
      dataDir,
      environment: { SERVICE_SMTP_URL: exim.url, SERVICE_SMTP_FROM: FROM, NODE_EXTRA_CA_CERTS: exim.certificate },
    });
    baseUrl = await service.ready;
    headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await readToken(dataDir)}` };
  });
  afterAll(async () => {
    await service.stop();
    await exim.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: object): Promise<any> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, { method, headers, ...sent });
    expect([method, path, response.status < 300]).toEqual([method, path, true]);
    return response.json();
  }

  async function addMail(address: string, more: object = {}): Promise<string> {
    const wanted = { name: address, address, event_types: ['record.voided'], ...more };
    const { id } = await call('POST', '/api/notifications/mail-targets', wanted);
    const { text } = await exim.waitFor('a code', ({ to }) => to === address);
    await call('POST', `${TARGETS}/${id}/confirm`, { code: /^[0-9a-f]{24}$/m.exec(text)?.[0] });
    return id;
  }

  async function voidRecord(): Promise<string> {
    const { id } = await call('POST', '/api/answer-audit-logs', answer(`${PRIVATE}?`, `${PRIVATE}.`));
    await call('POST', `/api/answer-audit-logs/${id}/events`, { event_type: 'voided', reason: PRIVATE });
    return id;
  }

  const deliveries = async (target: string) => (await call('GET', `${TARGETS}/${target}/deliveries`)).items;

  /** The newest delivery of the target, once it has failed so often. */
  async function failed(target: string, times: number): Promise<any> {
    let newest: any;
    await until('a failure', async () => ([newest] = await deliveries(target))[0]?.attempts >= times);
    return newest;
  }

  /** Ends the pause of a target, as a manager may. */
  async function hurry(target: string): Promise<void> {
    for (const state of ['disabled', 'active']) await call('PATCH', `${TARGETS}/${target}`, { state });
  }

  const mailsOf = async (recordId: string) => (await exim.readMails()).filter(({ text }) => text.includes(recordId));

  it('delivers a notification at once, over TLS and after the login, from and to whom it says', async () => {
    const target = await addMail('at-once@example.com');
    const recordId = await voidRecord();
    const mail = await exim.waitFor('a mail', ({ text }) => text.includes(`/console/records/${recordId}`));
    const [{ notification_id: id }] = await deliveries(target);
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      'return-path': `<${FROM}>`,
      'envelope-to': 'at-once@example.com',
      received: expect.stringMatching(/ with esmtpsa .*TLS1\.3/),
      from: FROM,
      to: 'at-once@example.com',
      subject: '[demo] A record was voided',
      'message-id': `<${id}@example.com>`,
      date: expect.stringMatching(/ \+0000$/),
      'mime-version': '1.0',
      'content-type': expect.stringContaining('multipart/alternative'),
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': expect.stringContaining(`/notifications?target=${target}>`),
    });
    await until('delivered', async () => (await deliveries(target))[0].state === 'delivered');
  });

  it('delivers a digest as one mail, under the id of its first notification', async () => {
    const target = await addMail('digest@example.com', { digest: 'daily', hour: 7, language: 'de' });
    const records = [await voidRecord(), await voidRecord()];
    await until('two that wait', async () => (await deliveries(target)).length === 2);
    const first = (await deliveries(target)).at(-1).notification_id;
    // Both are due now, and wait for the target.
    await call('PATCH', `${TARGETS}/${target}`, { state: 'disabled' });
    for (const { notification_id: id } of await deliveries(target))
      await call('POST', `${TARGETS}/${target}/deliveries/${id}/replay`);
    await call('PATCH', `${TARGETS}/${target}`, { state: 'active' });
    const mail = await exim.waitFor('a digest', ({ to, text }) => to === 'digest@example.com' && text.includes('2 × '));
    expect(mail.headers.get('subject')).toBe('[demo] 2 Benachrichtigungen');
    expect(mail.headers.get('message-id')).toBe(`<${first}@example.com>`);
    for (const id of records) expect(mail.text).toContain(`/records/${id}`);
    await until('delivered', async () => (await deliveries(target)).every(({ state }: any) => state === 'delivered'));
  });

  it('that does not take the password is asked again, and the mail comes under its own id', async () => {
    const target = await addMail('password@example.com');
    await exim.setPassword('another');
    const recordId = await voidRecord();
    const waiting = await failed(target, 1);
    expect(waiting).toMatchObject({
      ...{ state: 'pending', last_status: 535 },
      last_error: 'the mail server does not let the service in',
    });
    expect(await mailsOf(recordId)).toEqual([]);
    await exim.setPassword(PASSWORD);
    const mail = await exim.waitFor(
      'a mail',
      ({ to, text }) => to === 'password@example.com' && text.includes(recordId),
    );
    expect(mail.headers.get('message-id')).toBe(`<${waiting.notification_id}@example.com>`);
    await until('delivered', async () => (await deliveries(target))[0].state === 'delivered');
    expect(JSON.stringify(service.stderr)).not.toContain(PASSWORD);
  });

  it('that is gone, and then busy, gets the mail once, under the id that it had', async () => {
    const target = await addMail('busy@example.com');
    await exim.stop();
    const recordId = await voidRecord();
    const unreachable = await failed(target, 1);
    expect(unreachable).toMatchObject({
      ...{ state: 'pending', last_status: null },
      last_error: 'the mail server could not be reached, or not over TLS',
    });
    await exim.setBusy(true);
    await exim.start();
    await hurry(target);
    const refused = await failed(target, 2);
    expect(refused).toMatchObject({
      ...{ notification_id: unreachable.notification_id, state: 'pending', last_status: 451 },
      last_error: 'the mail server responded 451',
    });
    await exim.setBusy(false);
    await hurry(target);
    await until('delivered', async () => (await deliveries(target))[0].state === 'delivered');
    const isOf = ({ to }: { readonly to: string }): boolean => to === 'busy@example.com';
    await exim.waitFor('a mail', (one) => isOf(one) && one.text.includes(recordId));
    expect((await mailsOf(recordId)).filter(isOf).map(({ headers: of }) => of.get('message-id'))).toEqual([
      `<${unreachable.notification_id}@example.com>`,
    ]);
  });

  it('was given no text of a record and no reason', async () => {
    const sources = await exim.readSources();
    expect(sources.length).toBeGreaterThan(7);
    expect(sources.filter((source) => source.includes(PRIVATE))).toEqual([]);
  });
});
