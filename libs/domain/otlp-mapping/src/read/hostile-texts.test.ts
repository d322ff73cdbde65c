import { describe, expect, it } from '@jest/globals';
import { hostileTexts } from '../../fixtures/hostile-texts.ts';
import { span } from '../../fixtures/items.ts';
import { STATE_RULES } from '../dialects/mapping-table.ts';
import { CONTENT_RULES, DATA_SOURCE_KEY, DOCUMENT_RULES, FIELD_RULES, mapBatch, MODEL_RULES } from '../index.ts';

const ATTRIBUTES = [
  ...new Set([
    ...CONTENT_RULES.flatMap(({ key, indexed }) => [
      key,
      ...(indexed === undefined ? [] : [`${indexed.prefix}0.content`]),
    ]),
    'llm.input_messages.0.message.content',
    'llm.output_messages.0.message.content',
    'gen_ai.prompt.0.content',
    'gen_ai.completion.0.content',
    ...Object.values(FIELD_RULES).flatMap(({ keys }) => keys),
    ...Object.values(MODEL_RULES).flat(),
    ...DOCUMENT_RULES.flatMap(({ key }) => [key]),
    ...Object.values(STATE_RULES).flat(),
    DATA_SOURCE_KEY,
  ]),
];

/** Of a processor, so that nothing else on the machine counts: a text of 60 KB takes about 2, one of 1 MB about 20. */
const MS_MAX = 150;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The texts that took too long in an attribute, each with the attribute and its beginning. */
function findSlow(keys: readonly string[], texts: readonly string[]): readonly string[] {
  const slow: string[] = [];
  for (const text of texts)
    for (const key of keys) {
      const began = processorMs();
      mapBatch({
        items: [span({ attributes: { [key]: text, 'openinference.span.kind': 'LLM' } })],
        rejected: [],
        signal: 'traces',
      });
      const ms = processorMs() - began;
      if (ms > MS_MAX) slow.push(`${key}: ${String(Math.round(ms))} ms of ${text.slice(0, 30)}`);
    }
  return slow;
}

describe('a hostile text', () => {
  it('of 60 KB costs as little as any other, in whatever attribute it stands', () => {
    const texts = hostileTexts(60_000);
    // Each attribute gets some, and each text many.
    for (const [n, key] of ATTRIBUTES.entries())
      expect(
        findSlow(
          [key],
          texts.filter((_, at) => at % 7 === n % 7),
        ),
      ).toEqual([]);
  }, 120_000);

  it('of 1 MB does so, where messages, prompts and states are read', () => {
    const read = [
      'gen_ai.input.messages',
      'gen_ai.output.messages',
      'gen_ai.prompt.0.content',
      'llm.input_messages.0.message.content',
      'input.value',
      'output.value',
      'traceloop.entity.output',
      'ai.prompt',
    ];
    const texts = hostileTexts(1_000_000);
    for (const [n, text] of texts.entries()) expect(findSlow([read[n % read.length] ?? ''], [text])).toEqual([]);
  }, 120_000);
});
