import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OTLP_LIMITS, readTracesRequest } from '@answer-evidence/otlp';
import { mapBatch } from '@answer-evidence/otlp-mapping';

const FOLDER = join(import.meta.dirname, 'recordings');

/** Records by recording, as `<instrumentation>/<scenario>`. */
const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'expected.json'), 'utf8')) as Readonly<
  Record<string, readonly { question: string; answer: string; sources?: readonly string[] }[]>
>;
const recordings = globSync('*/*.pb', { cwd: FOLDER }).sort();

describe('the records that instrumentations leave', () => {
  it('are known for every recording', () => {
    expect([...new Set(recordings.map((path) => path.replace(/\..*/, '')))]).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))('of %s have the question, the answer and the sources', (name, records) => {
    const mapped = recordings
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => mapBatch(readTracesRequest(readFileSync(join(FOLDER, path)), OTLP_LIMITS)));
    expect(mapped.flatMap(({ rejected }) => rejected)).toEqual([]);
    const items = mapped.flatMap((batch) => batch.items);
    expect(
      items.map(({ question, answer, sourceRefs }) => ({
        question: question?.text,
        answer: answer?.text,
        sources: sourceRefs.map((ref) => ref['source_name']),
      })),
    ).toEqual(records.map(({ sources = [], ...texts }) => ({ ...texts, sources })));
    // System prompts, results and arguments of tools, and documents.
    expect(
      JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('SECRET');
  });
});
