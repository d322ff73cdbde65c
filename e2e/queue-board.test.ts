import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { JOB_TOPICS } from '@answer-evidence/contracts';
import { findFreePort, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';

const TOKEN = 'board-token-of-at-least-32-characters';

describeInBrowser('the queue board', () => {
  let dataDir: string;
  let database: TestDatabase;
  let service: ServiceProcess;
  let browser: Browser;
  let context: BrowserContext;
  let origin: string;
  /** What a page must not do: ask another host, break its policy, or fail. */
  const faults: string[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-board-'));
    database = await openTestDatabase();
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    service = startProcess({
      dataDir,
      environment: {
        DATABASE_URL: database.url,
        SERVICE_METRICS_PORT: String(port),
        SERVICE_QUEUE_BOARD_TOKEN: TOKEN,
      },
    });
    await service.ready;
    browser = await openBrowser();
    context = await browser.newContext({
      httpCredentials: { username: 'anyone', password: TOKEN },
      viewport: { width: 1280, height: 900 },
    });
    context.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        faults.push(`asked ${request.url()}`);
      if (request.method() !== 'GET') faults.push(`${request.method()} ${request.url()}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('shows each topic, its jobs and the schedules, and asks nobody else for anything', async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${origin}/queues/`);
    for (const topic of Object.keys(JOB_TOPICS)) await page.getByText(topic, { exact: true }).first().waitFor();
    await page.goto(`${origin}/queues/queue/trust.publish?status=latest`);
    await page.getByText('trust.publish').first().waitFor();
    await page.goto(`${origin}/queues/job-schedulers`);
    await page.getByText('otlp.wait').first().waitFor();
    expect(faults).toEqual([]);
  }, 120_000);

  it('offers nothing that would change a queue', async () => {
    const page = await context.newPage();
    await page.goto(`${origin}/queues/queue/trust.publish?status=delayed`);
    await page.getByText('trust.publish').first().waitFor();
    for (const name of [/pause/i, /empty/i, /obliterate/i, /add job/i, /retry/i, /promote/i, /clean/i])
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await fetch(`${origin}/queues/api/queues/trust.publish/pause`, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      expect([method, reply.status]).toEqual([method, 405]);
    }
  }, 60_000);

  it('is behind its token alone, pages, files and data', async () => {
    for (const path of ['', '/', '/queue/trust.run', '/static/images/logo.svg', '/api/queues', '/api/redis/stats']) {
      for (const authorization of [undefined, 'Bearer wrong', `Basic ${btoa('anyone:wrong')}`, `Token ${TOKEN}`]) {
        const headers = new Headers(authorization === undefined ? {} : { Authorization: authorization });
        const reply = await fetch(`${origin}/queues${path}`, { headers, redirect: 'manual' });
        expect([path, authorization, reply.status]).toEqual([path, authorization, 401]);
        expect(await reply.text()).not.toContain(TOKEN);
      }
      const reply = await fetch(`${origin}/queues${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
      expect([path, reply.status]).toEqual([path, 200]);
    }
    const page = await fetch(`${origin}/queues/`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*|https?:/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
