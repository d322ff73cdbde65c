import { expect, it } from '@jest/globals';
import { formatTraceLink, isTraceTemplate } from './trace-link.ts';

const TEMPLATE = 'https://tracing.example/trace/{trace_id}?span={span_id}';

it('puts the ids of a trace where a template says, however they are written', () => {
  expect(formatTraceLink(TEMPLATE, 'ab12', 'cd')).toBe('https://tracing.example/trace/ab12?span=cd');
  expect(formatTraceLink(TEMPLATE, '"><script>', '$&')).toBe(
    'https://tracing.example/trace/%22%3E%3Cscript%3E?span=%24%26',
  );
});

it.each(['javascript:alert("{trace_id}")', 'data:text/html,{trace_id}', '{trace_id}', 'https://tracing.example/trace'])(
  'makes no link of %s, which may run something or names no trace',
  (template) => {
    expect([isTraceTemplate(template), formatTraceLink(template, 'ab12', 'cd')]).toEqual([false, undefined]);
  },
);
