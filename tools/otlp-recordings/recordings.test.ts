import { describe, expect, it } from '@jest/globals';
import { listRecordings, mapRequests, readExpected, readRequests, summarize } from './read-recordings.ts';

const expected = Object.entries(readExpected()).flatMap(([program, { scenarios }]) => {
  return Object.entries(scenarios).map(([scenario, records]) => [`${program}/${scenario}`, records] as const);
});

describe('the records that instrumentations leave', () => {
  it('are known for every recording', () => {
    expect(listRecordings()).toEqual(expected.map(([name]) => name).sort());
  });

  it.each(expected)('of %s have the question, the answer, the sources and the tools', (name, records) => {
    const items = mapRequests(readRequests(name));
    expect(items.map(summarize)).toEqual(records);
    // System prompts, results and arguments of tools, and documents.
    expect(
      JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('SECRET');
  });
});
