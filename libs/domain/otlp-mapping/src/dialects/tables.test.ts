import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OBJECT_RULES, STATE_RULES } from './mapping-table.ts';
import * as tables from './tables.ts';

/** What the tables of version 10 say, as it was frozen before dialects had files of their own. */
const FROZEN = JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/tables-10.json'), 'utf8')) as Readonly<
  Record<string, readonly unknown[]>
>;

const DERIVED: Readonly<Record<string, readonly unknown[]>> = {
  contents: tables.CONTENT_RULES,
  checks: tables.CHECKS,
  failures: tables.FAILURES,
  asides: tables.ASIDES,
  runs: tables.RUNS,
  modelCalls: tables.MODEL_CALLS,
  documents: tables.DOCUMENT_RULES,
  tools: tables.TOOL_RULES,
  actorIds: tables.NAMED_ID_RULES.actor,
  sessionIds: tables.NAMED_ID_RULES.session,
  ...Object.fromEntries(Object.entries(tables.MODEL_RULES).map(([member, keys]) => [`model ${member}`, keys])),
  vectorSearches: tables.VECTOR_SEARCHES,
  messageEvents: tables.MESSAGE_EVENTS.map(({ event }) => event),
  questionMembers: STATE_RULES.question,
  answerMembers: STATE_RULES.answer,
  objectMembers: OBJECT_RULES,
};

/** Of these the first that holds does not count more than another, apart from those of one convention. */
const WITHOUT_ORDER = ['checks', 'failures', 'asides', 'runs', 'modelCalls', 'documents', 'tools', 'messageEvents'];
/** Members that rules have been given since, which say what was code before. */
const LATER = ['isMark', 'isCompletion', 'unlessCalls', 'isLast', 'mayBeObject'];

/** As one text, whatever the order of the members. */
const textOf = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => !LATER.includes(name))
            .sort(),
        )
      : value,
  );

describe('what version 10 says', () => {
  it.each(Object.keys(FROZEN))('stands in the table of %s, in its order', (name) => {
    const frozen = (FROZEN[name] ?? []).map(textOf);
    const kept = (DERIVED[name] ?? []).map(textOf).filter((row) => frozen.includes(row));
    expect(WITHOUT_ORDER.includes(name) ? kept.toSorted() : kept).toEqual(
      WITHOUT_ORDER.includes(name) ? frozen.toSorted() : frozen,
    );
  });

  it.each(['documents', 'tools'])('keeps the order of %s within each convention', (name) => {
    const ofConvention = (rows: readonly unknown[]) =>
      Object.fromEntries(
        [...Map.groupBy(rows, (row) => (row as { readonly convention: string }).convention)].map(([convention, of]) => [
          convention,
          of.map(textOf),
        ]),
      );
    const frozen = FROZEN[name] ?? [];
    const known = new Set(frozen.map(textOf));
    expect(ofConvention((DERIVED[name] ?? []).filter((row) => known.has(textOf(row))))).toEqual(ofConvention(frozen));
  });
});
