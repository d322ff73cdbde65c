import { expect, test } from '@jest/globals';
import { createHtmlReader } from './html-reader.ts';

const { readText } = createHtmlReader();

test.each([
  ['paragraphs', '<p>one <b>two</b>\n three</p><p>four', 'one two three\n\nfour'],
  ['headings and what follows them', '<h1>A</h1>b<h2>C</h2>', 'A\n\nb\n\nC'],
  ['a title, and no scripts and styles', '<title>T</title><style>p{}</style><script>x("<p>")</script>t', 'T\n\nt'],
  ['a head that is never closed', '<head><meta charset="utf-8"><body>text', 'text'],
  ['a list is one paragraph, an item per line', 'x<ul><li>a</li><li>b <i>c</i></li></ul>y', 'x\n\na\nb c\n\ny'],
  ['a table is one paragraph, a row per line', '<table><tr><td>1<td>2</tr><tr><th>3</table>', '1 2\n3'],
  ['line breaks', 'a<br>b<br/>c', 'a\nb\nc'],
  ['words are not torn at inline elements', 'wa<b>rr</b>anty<span> </span>two', 'warranty two'],
  ['entities', '&lt;p&gt; &amp;&nbsp;&#x1F600; &copy', '<p> &\u00a0\u{1f600} ©'],
  ['preformatted text', '<p>a</p><pre>x\n\n  y</pre>', 'a\n\nx\n\n  y'],
  ['comments and attributes', '<!-- no --><a href="https://x.example/?secret" title="no">yes</a>', 'yes'],
  ['templates and frames', 'a<template>no</template><iframe>no</iframe>b', 'ab'],
  ['a script that is never closed', 'a<script>no<p>no', 'a'],
  ['nothing', ' <p> </p>\n', ''],
])('%s', (_, html, text) => {
  expect(readText(html)).toBe(text);
});

test('a document that nests deeper than any that is written is not read', () => {
  expect(readText('<div>'.repeat(512) + 'x')).toBe('x');
  expect(readText('<div>'.repeat(513) + 'x')).toBeNull();
  expect(readText('<p>x</p>'.repeat(5_000))).toHaveLength(5_000 * 3 - 2);
});

test('a document that is hardly more than tags is not read, however they are written', () => {
  expect(readText('<p>x</p>'.repeat(50_000))).toHaveLength(50_000 * 3 - 2);
  for (const element of ['<p>x</p>', '<p>', '</p>', '<a>', '<br>', '<td>a'])
    expect([element, readText(element.repeat(50_001))]).toEqual([element, null]);
  const row = `<tr><td>${'x'.repeat(40)}</td>`;
  expect(readText(row.repeat(60_000))).toHaveLength(60_000 * 41 - 1);
});

test('text is the same in whatever pieces a parser gives it', () => {
  expect(readText('a &lt; <b> b</b>  &lt;<i> &lt; </i>\n&lt;')).toBe('a < b < < <');
  expect(readText([...' a  b\nc '].join('<!---->'))).toBe('a b c');
  expect(readText('<< <p> <\n< a<pre> <\n</pre>b')).toBe('<<\n\n< < a\n\n <\n\n\nb');
});
