import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { findFreePort, isInstalled, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { REPOSITORY, type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';

const FOLDER = join(REPOSITORY, 'deploy/observability');
const RULES = join(FOLDER, 'alerts.yaml');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
};

let dataDir: string;
let database: TestDatabase;
let service: ServiceProcess;
let metricsPort = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-observability-'));
  database = await openTestDatabase();
  metricsPort = await findFreePort();
  service = startProcess({
    dataDir,
    environment: { DATABASE_URL: database.url, SERVICE_METRICS_PORT: String(metricsPort) },
  });
  await service.ready;
});
afterAll(async () => {
  await service.stop();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Every name that a scrape of the whole service may have, with those of the parts of its histograms. */
async function readMetricNames(): Promise<ReadonlySet<string>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  return new Set(
    types.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** The metrics of an expression: what stands before labels or alone, and is neither a function nor a word of PromQL. */
function metricsOf(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w|\s*\()/g)].map(([name]) => name);
}

async function readRules(): Promise<readonly Rule[]> {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

describe('alerts and dashboards', () => {
  it('use only metrics that the service has', async () => {
    const names = await readMetricNames();
    const dashboards = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
    expect(dashboards).toHaveLength(3);
    const asked = (await readRules()).map(({ alert, expr }) => [alert, expr] as const);
    for (const file of dashboards) {
      const { panels } = JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as {
        panels: readonly { title: string; targets: readonly { expr: string }[] }[];
      };
      asked.push(...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)));
    }
    const missing = asked.flatMap(([where, expression]) =>
      metricsOf(expression)
        // Prometheus makes this one.
        .filter((name) => name !== 'up' && !names.has(name))
        .map((name) => `${where}: ${name}`),
    );
    expect(missing).toEqual([]);
    expect(asked.filter(([, expression]) => metricsOf(expression).length === 0)).toEqual([]);
  });

  it('say how bad it is, what it means, and where the way on is', async () => {
    for (const { alert, labels, annotations } of await readRules()) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.description).toMatch(/\.$/);
      expect(annotations.runbook).toBe(`docs/operations/runbooks.md#${alert.toLowerCase()}`);
    }
  });

  it('have no label for a tenant', async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    for (const label of ['workspace', 'workspace_id', 'slug', 'tenant']) expect(labels).not.toContain(label);
    expect(text).not.toContain('demo');
    expect(text).toMatch(/^queue_oldest_seconds\{topic="trust\.run"\} 0$/m);
  });

  const itWithPromtool = isInstalled('promtool') || process.env.REQUIRE_SERVICES === '1' ? it : it.skip;
  itWithPromtool('are rules that Prometheus takes, and they fire when they should', async () => {
    const promtool = promisify(execFile);
    expect((await promtool('promtool', ['check', 'rules', RULES])).stdout).toContain('SUCCESS');
    expect((await promtool('promtool', ['test', 'rules', join(FOLDER, 'alerts.test.yaml')])).stdout).toContain(
      'SUCCESS',
    );
  });
});
