import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

it('every alert has a runbook, every runbook an alert, and each alert names its own', async () => {
  const { groups } = parse(await read('deploy/observability/alerts.yaml'));
  const rules: readonly any[] = groups.flatMap((group: any) => group.rules);
  const page = await read('docs/operations/runbooks.md');
  const sections = page
    .split('\n## ')
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.length] as const);
  expect(sections.map(([name]) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  expect(rules.length).toBeGreaterThan(10);
  for (const [name, length] of sections) expect([name, length > 150]).toEqual([name, true]);
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operations/runbooks.md#${alert.toLowerCase()}`);
});
