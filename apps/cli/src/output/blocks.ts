import type { CheckResult, ReconciliationCheckResult } from '@answer-evidence/contracts';
import { sayCheck, type WordLanguage } from '@answer-evidence/verify';

/** What may stand in a cell; null is shown as a dash. */
export type Cell = string | number | boolean | null;

/** A check of whatever is verified. */
export type ShownCheck = Omit<CheckResult | ReconciliationCheckResult, 'check'> & { readonly check: string };

/** Several things of a kind, a row each. */
export type Table = {
  readonly kind: 'table';
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

/** One thing, a line per field. */
type Fields = { readonly kind: 'fields'; readonly fields: readonly (readonly [name: string, value: Cell])[] };

/** The checks of a verification, with what each does not prove. */
export type Checks = {
  readonly kind: 'checks';
  readonly checks: readonly ShownCheck[];
  /** Whether people see only those that are FAIL or SKIP. */
  readonly isSummary: boolean;
  /** That of the labels; what was found is in it already. */
  readonly language: WordLanguage;
};

/** A sentence. */
type Line = { readonly kind: 'line'; readonly text: string };
/** Lines that stand together, for another program to read. */
type Lines = { readonly kind: 'lines'; readonly lines: readonly string[] };

/** A part of a result for people. */
export type Block = Table | Fields | Checks | Line | Lines;

/** A table of rows. */
export function asTable(head: Table['head'], rows: Table['rows']): Table {
  return { kind: 'table', head, rows };
}

/** The fields of one thing. */
export function asFields(fields: Fields['fields']): Fields {
  return { kind: 'fields', fields };
}

/** The checks of a verification, in the language of their reader. */
export function asChecks(checks: Checks['checks'], isSummary = false, language: WordLanguage = 'en'): Checks {
  return { kind: 'checks', checks: checks.map((check) => sayCheck(check, language)), isSummary, language };
}

/**
 * What a result consists of, as one table: its checks if it has any, else its first table, or its first fields and all
 * that have the same names. Undefined for a result without rows and columns.
 */
export function findTable(blocks: readonly Block[]): Table | undefined {
  const block =
    blocks.find(({ kind }) => kind === 'checks') ?? blocks.find(({ kind }) => kind === 'table' || kind === 'fields');
  switch (block?.kind) {
    case 'table':
      return block;
    case 'fields':
      return asTable(
        namesOf(block),
        blocks.filter(isLike(block)).map(({ fields }) => fields.map(([, value]) => value)),
      );
    case 'checks':
      return asTable(['check', 'outcome', 'detail', 'expected', 'actual', 'does not prove'], block.checks.map(rowOf));
    default:
      return undefined;
  }
}

function namesOf({ fields }: Fields): readonly string[] {
  return fields.map(([name]) => name);
}

function isLike(first: Fields): (block: Block) => block is Fields {
  const names = namesOf(first).join('\n');
  return (block): block is Fields => block.kind === 'fields' && namesOf(block).join('\n') === names;
}

function rowOf({ check, outcome, detail, compared, does_not_prove: limit }: ShownCheck): readonly Cell[] {
  return [check, outcome, detail, compared?.expected ?? null, compared?.actual ?? null, limit];
}
