import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { otlpRulesRequest } from '@answer-evidence/contracts';
import {
  applyRules,
  decideItems,
  explainBatch,
  type OtlpSpan,
  readForExplanation,
} from '@answer-evidence/otlp-mapping';

const ROW = /^\| (?<name>\w+) +\| (?<above>\w*) +\| (?<has>.*?) +\| `(?<becomes>\w+)`(?: of (?<source>\w+))? +\|$/gm;
const page = await readFile(new URL('../../docs/otlp.md', import.meta.url), 'utf8');
const examples = page
  .split('<!-- rules: example -->')
  .slice(1)
  .map((text, n) => {
    const rules = /```json\n(.*?)```/s.exec(text)?.[1] ?? '';
    const [table = ''] = text.slice(text.indexOf('| --')).split('\n\n');
    return [
      n + 1,
      otlpRulesRequest.parse(JSON.parse(rules)),
      [...table.matchAll(ROW)].map(({ groups }) => ({ ...groups })),
    ] as const;
  });

it('the page has three examples', () => {
  expect(examples.map(([, , rows]) => rows.length)).toEqual([3, 4, 3]);
});

it.each(examples)('example %i of rules makes of each span what the page says', (_, rules, rows) => {
  const idOf = (name: string | undefined) =>
    (rows.findIndex((row) => row['name'] === name) + 1).toString(16).padStart(16, '0');
  const rootOf = (name: string | undefined): string => {
    const above = rows.find((row) => row['name'] === name)?.['above'];
    return above === undefined || above === '' ? (name ?? '') : rootOf(above);
  };
  const items = rows.map(({ name = '', above = '', has = '' }, index): OtlpSpan => {
    const given = new Map([...has.matchAll(/`([^=`]+)=([^`]*)`/g)].map(([, key = '', value = '']) => [key, value]));
    const texts = given.has('gen_ai.operation.name')
      ? { 'gen_ai.input.messages': textOf('user', 'asked'), 'gen_ai.output.messages': textOf('assistant', name) }
      : {};
    const attributes = { ...Object.fromEntries(given), ...texts };
    return {
      kind: 'span',
      index,
      resource: { attributes: [{ key: 'service.name', value: 'helpdesk' }] },
      scope: { name: given.get('scope_name') ?? 'helpdesk', version: '' },
      traceId: idOf(rootOf(name)).padStart(32, '0'),
      spanId: idOf(name),
      parentSpanId: above === '' ? null : idOf(above),
      parentIsRemote: false,
      name,
      spanKind: 1,
      startTimeUnixNano: 1n,
      endTimeUnixNano: BigInt(index + 1),
      statusCode: 0,
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
      events: [],
    };
  });
  const read = readForExplanation({ signal: 'traces', items, rejected: [] });
  const explained = explainBatch(read, rules).items;
  expect(explained.map(({ outcome, reason }) => reason ?? outcome)).toEqual(rows.map(({ becomes }) => becomes));
  const decided = decideItems(applyRules(read.items, read.facts, rules).items).items;
  expect(decided.map(({ answer }) => answer?.text)).toEqual(
    rows.flatMap(({ name, becomes, source }) => (becomes === 'answer' ? [source ?? name] : [])),
  );
});

function textOf(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
