import type { LedgerFinding } from '@answer-evidence/contracts';
import { CheckFailure } from '@answer-evidence/verify/verdict';

/** How many findings a report lists; all are counted. */
export const FINDINGS_LISTED_MAX = 1_000;

/** Where a finding belongs: the check, the object by its kind and name, and the leaf when one is known. */
export type Place = { readonly check: string; readonly object: string; readonly leafIndex: number | null };

/**
 * Collects what is wrong with a ledger; only the first findings are kept, so that a ruined ledger costs no memory. Each
 * part of the check is one piece of long work.
 */
export class Findings {
  total = 0;
  readonly listed: LedgerFinding[] = [];
  /** Resolves when the check may go on. */
  readonly turn: () => Promise<void>;

  constructor(turn: () => Promise<void>) {
    this.turn = turn;
  }

  add(place: Place, detail: string): void {
    this.total += 1;
    if (this.listed.length >= FINDINGS_LISTED_MAX) return;
    this.listed.push({ check: place.check, object: place.object, leaf_index: readableIndex(place.leafIndex), detail });
  }

  /** Adds what was found elsewhere, in its order. */
  take({ findings, total }: { readonly findings: readonly LedgerFinding[]; readonly total: number }): void {
    this.total += total;
    this.listed.push(...findings.slice(0, Math.max(0, FINDINGS_LISTED_MAX - this.listed.length)));
  }

  /**
   * Runs a part of the check; if it throws, that is a finding, and the other parts continue. Only the message of a
   * `CheckFailure` is quoted: messages of a database driver or a JSON reader may contain stored data.
   */
  async guard<T>(place: Place, part: () => T | Promise<T>): Promise<T | undefined> {
    await this.turn();
    try {
      return await part();
    } catch (error) {
      this.add(place, error instanceof CheckFailure ? describe(error) : `cannot be read (${nameOf(error)})`);
      return undefined;
    }
  }
}

function describe(failure: CheckFailure): string {
  if (failure.compared === null) return failure.message;
  return `${failure.message}: ${failure.compared.expected} was expected, ${failure.compared.actual} is stored`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** A leaf index that was altered in storage may be any number; the report's form allows only indexes. */
function readableIndex(leafIndex: number | null): number | null {
  return leafIndex !== null && Number.isSafeInteger(leafIndex) && leafIndex >= 0 ? leafIndex : null;
}
