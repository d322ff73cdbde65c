import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listDialects } from './list-dialects.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAPPING = join(ROOT, 'libs/domain/otlp-mapping/src');

const scratch = await mkdtemp(join(tmpdir(), 'dialects-'));
afterAll(() => rm(scratch, { recursive: true }));

/** A framework that nobody has heard of. */
const ACME_FILE = `import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const KIND = kindsOf('acme.kind');

${'export'} const ACME: Dialect = {
  name: 'acme',
  source: 'acme/acme',
  contents: [
    rule('question', 'acme', 'acme.asked', 'state', { unless: [KIND('tool')] }),
    rule('answer', 'acme', 'acme.said', 'state', { unless: [KIND('tool')] }),
  ],
  asides: [KIND('tool')],
  runs: [KIND('agent')],
  modelCalls: [KIND('call')],
  tools: [{ convention: 'acme', when: KIND('tool'), name: ['acme.tool'], args: ['acme.asked'] }],
  prefixes: ['acme.'],
  templates: [{ begin: 'ACME asks: ', before: 'ACME asks: ', after: [' (by ACME)'], stands: 'first' }],
};
`;

/** What is read of three spans of it, and of one of a framework that was known before. */
const PROGRAM = `import { isReadName, mapBatch } from './src/index.ts';
const span = (n, parent, attributes) => ({
  kind: 'span', index: n, traceId: 'a'.repeat(32), spanId: String(n).repeat(16), parentSpanId: parent,
  parentIsRemote: false, name: 'span', statusCode: 0, events: [], resource, scope: { name: 'acme' },
  startTimeUnixNano: BigInt(n) * 1000n, endTimeUnixNano: 9000n,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
});
const resource = { attributes: [{ key: 'service.name', value: 'app' }] };
const items = [
  span(1, null, { 'acme.kind': 'agent', 'acme.asked': '{"question":"ACME asks: Why? (by ACME)"}' }),
  span(2, '1'.repeat(16), { 'acme.kind': 'call', 'acme.asked': 'Why?', 'acme.said': 'Because.' }),
  span(3, '1'.repeat(16), { 'acme.kind': 'tool', 'acme.tool': 'look_up', 'acme.asked': '{}', 'acme.said': 'SECRET' }),
];
const { items: answers } = mapBatch({ signal: 'traces', items, rejected: [] });
console.log(JSON.stringify(answers.map(({ question, answer, semanticRefs }) => [question, answer, semanticRefs])));
console.log(isReadName('acme.said', false));
`;

describe('the list of dialects', () => {
  it('has every file of the folder', async () => {
    const { text, present } = await listDialects();
    expect(present).toBe(text);
  });

  it('makes a framework known by one new file', async () => {
    await cp(MAPPING, join(scratch, 'src'), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
    await writeFile(join(scratch, 'package.json'), '{"type":"module"}');
    const before = await readdir(join(scratch, 'src'), { recursive: true });
    const folder = join(scratch, 'src/dialects');
    await writeFile(join(folder, 'acme.ts'), ACME_FILE);
    const list = await listDialects(folder);
    expect(list.text.split('\n').filter((line) => !list.present.includes(line))).toEqual([
      "import { ACME } from './acme.ts';",
      '  ACME,',
    ]);
    expect(list.text).toMatch(/ {2}ACME,\n\];\n$/);
    await writeFile(list.path, list.text);
    expect(await readdir(join(scratch, 'src'), { recursive: true })).toHaveLength(before.length + 1);

    await writeFile(join(scratch, 'program.ts'), PROGRAM);
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', join(scratch, 'program.ts')]);
    const [answers = '', isRead] = stdout.trim().split('\n');
    expect(JSON.parse(answers)).toEqual([
      [
        { text: 'Why?' },
        { text: 'Because.' },
        [expect.objectContaining({ ref_type: 'tool_call', step: 'executed', name: 'look_up' })],
      ],
    ]);
    expect(isRead).toBe('true');
  });
});
