import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256Hex } from '@answer-evidence/digest';
import { batchOf, span } from '../../fixtures/items.ts';
import { mapBatch } from '../index.ts';
import { BYTES_BEGIN, parseLooseJson } from './loose-json.ts';

describe('the loose reader', () => {
  it('reads all JSON as the native reader does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, indent) => {
        expect(parseLooseJson(JSON.stringify(value, null, indent))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('reads nothing else but what keeps the texts intact', () => {
    expect(parseLooseJson('\uFEFF[{"a":NaN,"b":-Infinity,"b":2,"role":"user","role":"user"}]')).toEqual([
      { a: null, b: 2, role: 'user' },
    ]);
    for (const text of ['', '[', '{"a"}', '[1,]', '{"a":1,}', 'nul', '[1] x', '{"text":"a","text":"b"}', "{'a':1}"])
      expect(parseLooseJson(text)).toBeUndefined();
  });

  it('names bytes that are written as numbers by their hash', () => {
    const bytes = Uint8Array.from({ length: 1_000 }, (_, n) => n % 256);
    const hash = BYTES_BEGIN + sha256Hex(bytes);
    expect(parseLooseJson(JSON.stringify({ data: [...bytes], numbered: { ...bytes }, list: [1, 2, 3] }))).toEqual({
      data: hash,
      numbered: hash,
      list: [1, 2, 3],
    });
  });

  it('takes time linear in the text', () => {
    const started = performance.now();
    for (const piece of ['[1,', '{"0":1,', '"\\', '\\', ' ', '1,', '"0":1,', '[[', '1e'])
      parseLooseJson(`[${piece.repeat(500_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a chat with a photo of 5 MB', () => {
  const data = 'A'.repeat(5_000_000);
  const bytes = Array.from({ length: 1_200_000 }, (_, n) => n % 256);
  const output = { 'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"A"}]}]' };
  const photos: readonly (readonly [string, object])[] = [
    ['the conventions', { type: 'blob', modality: 'image', mime_type: 'image/png', content: data }],
    ["OpenAI's interface", { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }],
    ['Pydantic AI', { type: 'binary', media_type: 'image/jpeg', content: data }],
    ['numbers', { type: 'image', image: { type: 'Buffer', data: bytes } }],
  ];
  it.each(photos)('in the form of %s leaves its record', (_, photo) => {
    const content = [{ type: 'text', text: 'Q' }, photo];
    const input = JSON.stringify([{ role: 'user', content }]);
    const { items, rejected } = mapBatch(batchOf(span({ attributes: { 'gen_ai.input.messages': input, ...output } })));
    expect(rejected).toEqual([]);
    expect(items).toMatchObject([{ question: { text: 'Q' }, answer: { text: 'A' } }]);
  });

  it.each(photos)('in the form of %s is a question by its hash if nothing else was asked', (_, photo) => {
    const before = [
      { role: 'user', content: 'before' },
      { role: 'assistant', content: 'an answer' },
    ];
    const input = JSON.stringify([...before, { role: 'user', content: [photo] }]);
    const { items } = mapBatch(batchOf(span({ attributes: { 'gen_ai.input.messages': input, ...output } })));
    expect(items[0]?.question?.text).toMatch(/^\[image sha256:[0-9a-f]{64}\]$/);
  });

  it.each([
    ['a list', { type: 'Buffer', data: bytes.slice(0, 9_000) }],
    ['positions', Object.fromEntries(bytes.slice(0, 3_000).entries())],
  ])('has the same name in numbers of %s, however long the text is', (_, image) => {
    const nameOf = (more: string) => {
      const input = JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'image', image }] }], more });
      const attributes = { 'ai.operationId': 'ai.generateText', 'ai.prompt': input, 'ai.response.text': 'A' };
      return mapBatch(batchOf(span({ attributes }))).items[0]?.question?.text;
    };
    expect(nameOf('')).toMatch(/^\[image sha256:[0-9a-f]{64}\]$/);
    expect(nameOf('')).toBe(nameOf('x'.repeat(100_000)));
  });

  it.each([...photos, ['a file', { type: 'file', mediaType: 'image/png', data }]] as const)(
    'in the form of %s is a question by its hash in the state of a framework, too',
    (_, photo) => {
      const input = JSON.stringify({ messages: [{ role: 'user', content: [photo] }] });
      const attributes = { 'ai.operationId': 'ai.generateText', 'ai.prompt': input, 'ai.response.text': 'A' };
      const { items } = mapBatch(batchOf(span({ attributes })));
      expect(items[0]?.question?.text).toMatch(/^\[image sha256:[0-9a-f]{64}\]$/);
    },
  );
});

it('reads a list of messages in JSON each, and plain texts where messages are usual', () => {
  const written = ['user', 'assistant'].map((role) => [JSON.stringify({ role, content: role === 'user' ? 'Q' : 'A' })]);
  const [input = [], output = []] = written;
  for (const [asked, said] of [
    [input, output],
    ['Q', 'A'],
    ['What does {x: 1} mean?', '[1] first, [2] second'],
    ['{x} or [y]?', '{x}, of course'],
  ] as const) {
    const attributes = { 'gen_ai.input.messages': asked, 'gen_ai.output.messages': said };
    expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([
      asked === input
        ? { question: { text: 'Q' }, answer: { text: 'A' } }
        : { question: { text: asked }, answer: { text: said } },
    ]);
  }
});
