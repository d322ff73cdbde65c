import { expect, test } from '@jest/globals';
import { SEGMENT_LENGTH_MAX, SEGMENTS_MAX, splitSegments } from './split-segments.ts';

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

test.each([
  ['a paragraph a segment', 'one\n\ntwo\n\n\nthree', ['one', 'two', 'three']],
  ['lines of a paragraph stay together', 'one\ntwo\r\nthree\rfour', ['one\ntwo\nthree\nfour']],
  ['a line of white space is a blank line', 'one\n \t\u00a0\ntwo', ['one', 'two']],
  ['white space at the ends of a line is kept', '  one \n\ttwo ', ['  one \n\ttwo ']],
  ['nothing but white space', ' \n\n\t\n', []],
  ['nothing', '', []],
])('%s', (_, text, segments) => {
  expect(splitSegments(text, 'plain')).toEqual(segments);
});

test.each([
  ['a fenced block keeps its blank lines', 'a\n\n```ts\nx\n\ny\n```\n\nb', ['a', '```ts\nx\n\ny\n```', 'b']],
  ['another fence does not close it', '```\n~~~\n\nx\n```\n\ny', ['```\n~~~\n\nx\n```', 'y']],
  ['a shorter fence does not close it', '````\n```\n\nx\n````\n\ny', ['````\n```\n\nx\n````', 'y']],
  ['a fence with a language does not close it', '```\n```js\n\nx\n```\n\ny', ['```\n```js\n\nx\n```', 'y']],
  ['code within a line is no fence', '```x``` is code\n\na\n\nb', ['```x``` is code', 'a', 'b']],
  ['tildes may stand behind a fence of tildes', '~~~ a~b\nx\n\ny\n~~~\n\nz', ['~~~ a~b\nx\n\ny\n~~~', 'z']],
  ['a fence that is never closed', '~~~\nx\n\ny', ['~~~\nx\n\ny']],
])('in Markdown: %s', (_, text, segments) => {
  expect(splitSegments(text, 'markdown')).toEqual(segments);
});

test('a fence means nothing in plain text', () => {
  expect(splitSegments('```\nx\n\ny\n```', 'plain')).toEqual(['```\nx', 'y\n```']);
});

test('a long paragraph is cut at the limit', () => {
  const [first, second, ...rest] = splitSegments('x'.repeat(SEGMENT_LENGTH_MAX + 1), 'plain');
  expect([first?.length, second?.length, rest.length]).toEqual([SEGMENT_LENGTH_MAX, 1, 0]);
});

test.each([
  ['a surrogate pair', '\u{1f600}'],
  ['a letter with a combining accent', 'e\u0301'],
  ['a letter with an accent of two code units', 'e\u{1d165}'],
  ['a family of emoji', FAMILY],
])('the cut is never within %s', (_, character) => {
  for (let before = 1; before <= character.length + 1; before++) {
    const text = 'x'.repeat(SEGMENT_LENGTH_MAX - before) + character + 'y';
    const pieces = splitSegments(text, 'plain');
    expect(pieces.join('')).toBe(text);
    expect(pieces.some((piece) => piece.includes(character))).toBe(true);
  }
});

test('a cluster that is longer than a segment is cut between code points', () => {
  const text = `e${'\u{1d165}'.repeat(SEGMENT_LENGTH_MAX)}`;
  const pieces = splitSegments(text, 'plain');
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.length <= SEGMENT_LENGTH_MAX && piece.isWellFormed())).toBe(true);
});

test('more paragraphs than segments are joined with their neighbours', () => {
  const paragraphs = Array.from({ length: SEGMENTS_MAX + 1 }, (_, n) => `paragraph ${n}`);
  const segments = splitSegments(paragraphs.join('\n\n'), 'plain');
  expect(segments.length).toBeLessThan(SEGMENTS_MAX);
  expect(segments.join('\n\n').split('\n\n')).toEqual(paragraphs);
});

test('a text that has too many segments even so is not split', () => {
  const long = 'x'.repeat(SEGMENT_LENGTH_MAX);
  expect(splitSegments(Array<string>(SEGMENTS_MAX).fill(long).join('\n\n'), 'plain')).toHaveLength(SEGMENTS_MAX);
  expect(
    splitSegments(
      Array<string>(SEGMENTS_MAX + 1)
        .fill(long)
        .join('\n\n'),
      'plain',
    ),
  ).toEqual([]);
});
