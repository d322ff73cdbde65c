import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CONTENT_RULES } from '@answer-evidence/otlp-mapping';

type Parts = Readonly<Record<string, object>>;
type Collector = {
  readonly receivers: Parts;
  readonly processors: Parts;
  readonly exporters: Readonly<Record<string, { readonly sending_queue: { readonly storage: string } }>>;
  readonly extensions: Parts;
  readonly service: {
    readonly extensions: readonly string[];
    readonly pipelines: Readonly<Record<string, Readonly<Record<'receivers' | 'processors' | 'exporters', string[]>>>>;
  };
};

async function readConfigurations(): Promise<readonly Collector[]> {
  const page = await readFile(new URL('../../docs/otlp.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  // What does not parse throws; keys that are there twice, too.
  return blocks.map((text) => parse(text) as Collector);
}

it('the configuration of a Collector names only parts that it defines, and uses all of them', async () => {
  const [whole, overGrpc] = await readConfigurations();
  if (whole === undefined || overGrpc === undefined) throw new Error('the page has two configurations');
  const pipelines = Object.values(whole.service.pipelines);
  expect(Object.keys(whole.service.pipelines)).toEqual(['traces', 'logs']);
  for (const part of ['receivers', 'processors', 'exporters'] as const)
    expect([...new Set(pipelines.flatMap((pipeline) => pipeline[part]))]).toEqual(Object.keys(whole[part]));
  expect(whole.service.extensions).toEqual(Object.keys(whole.extensions));
  for (const exporter of [...Object.values(whole.exporters), ...Object.values(overGrpc.exporters)])
    expect(Object.keys(whole.extensions)).toContain(exporter.sending_queue.storage);
});

it('the sampler keeps each trace with a span of a kind that the mapping tells apart, and marked answers', async () => {
  const sampling = (await readConfigurations()).find(({ processors }) => processors?.['tail_sampling'] !== undefined);
  const named = [...JSON.stringify(sampling).matchAll(/attributes\[\\"(.*?)\\"\] != nil/g)].map(([, key = '']) => key);
  const kinds = CONTENT_RULES.flatMap(({ unless }) => unless.map(({ key }) => key)).filter(
    (key) => !key.endsWith('.mime_type'),
  );
  expect(new Set(named)).toEqual(
    new Set([...kinds, 'ai.operationId', 'service.audit.answer_text', 'service.audit.answer_hash']),
  );
});
