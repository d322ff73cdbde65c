import { expect, it } from '@jest/globals';
import { looksLikeMarkdown } from './looks-like-markdown.ts';

it.each([
  '# Title\ntext',
  'Steps:\n1. one\n2. two',
  '- a\n- b',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '```\ncode\n```',
])('a text that is laid out as Markdown is told: %j', (text) => expect(looksLikeMarkdown(text)).toBe(true));

it.each(['30 days.', 'It is #1 of 3', 'minus 5 - 3', '- a single dash', '**bold** alone', '<b>x</b>', '#tag'])(
  'a text that is not stands as it is: %j',
  (text) => expect(looksLikeMarkdown(text)).toBe(false),
);
