import { describe, expect, it } from '@jest/globals';
import { textsOf } from '../../fixtures/answers.ts';
import { messages, type Plain, span } from '../../fixtures/items.ts';

const ADDRESS = 'https://photos.example/secret-token/cat.jpg?sig=SECRET';
// printf '%s' "$ADDRESS" | sha256sum
const HASH = '08f050c953f982b4de052f6280505cd178d0a834443f249ae8f236ba041171b6';

const asked = (...parts: readonly Plain[]) =>
  span({
    id: 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': [{ role: 'user', parts }],
      'gen_ai.output.messages': messages(['assistant', 'A']),
    },
  });

describe('a question that is only a picture at an address', () => {
  it.each<[form: string, part: Plain]>([
    ['the conventions', { type: 'uri', modality: 'image', uri: ADDRESS }],
    ['chat completions', { type: 'image_url', image_url: { url: ADDRESS } }],
    ['responses', { type: 'input_image', image_url: ADDRESS, detail: 'auto' }],
    ['Anthropic', { type: 'image', source: { type: 'url', url: ADDRESS } }],
    ['Gemini', { fileData: { mimeType: 'image/jpeg', fileUri: ADDRESS } }],
  ])('is the hash of that address, and says so, by %s', (_, part) => {
    expect(textsOf(asked(part))).toEqual([[`[image address sha256:${HASH}]`, 'A']]);
  });

  it('is the hash of its id, where a provider has the file', () => {
    const [[question] = []] = textsOf(asked({ type: 'input_file', file_id: 'file-SECRET' }));
    expect(question).toMatch(/^\[file address sha256:[0-9a-f]{64}\]$/);
  });

  it('is the text beside it, if there is one', () => {
    const picture = { type: 'image_url', image_url: { url: ADDRESS } };
    expect(textsOf(asked(picture, { type: 'text', content: 'What is it?' }))).toEqual([['What is it?', 'A']]);
  });

  it.each<[what: string, part: Plain]>([
    ['no address', { type: 'image_url', image_url: { url: 'cat.jpg' } }],
    ['nothing', { type: 'image' }],
    ['an address that is no picture', { type: 'tool_reference', href: ADDRESS }],
  ])('is none by %s', (_, part) => {
    expect(textsOf(asked(part))).toEqual([[undefined, 'A']]);
  });
});
