import type { JsonValue } from '@answer-evidence/contracts';
import type { World } from '../reseal.ts';

/** The names of the bundles of a pack of the suite. */
export const NAMES = ['bundle-1', 'bundle-2', 'bundle-3'];
/** When it was made. */
export const MADE_AT = '2024-11-22T22:00:00.000000Z';

/** A part of a page as it is written. */
export type Part = { readonly id: string; readonly json: string; readonly written?: (json: string) => string };
/** A pack before its page is written. */
export type Pack = { readonly world: World; readonly parts: Part[] };
type Outcomes = Readonly<Record<string, string>>;

/** A pack by what is changed of it, and what must come of that. */
export type PackRow = {
  readonly id: string;
  /** Changes the parts. */
  readonly change?: (pack: Pack) => void;
  /** Changes the page. */
  readonly page?: (page: string) => string;
  /** The entry `export_made` of the page, given as the response of the service. */
  readonly entry?: Readonly<Record<string, JsonValue>>;
  /** How the response is changed. */
  readonly response?: (response: {
    core: Record<string, JsonValue>;
    ledger: { entry: string };
    receipt: string;
  }) => void;
  /** How long after `made_at` the log has its entry, in microseconds. */
  readonly loggedAfter?: number;
  readonly log?: 'whole' | 'without the entry' | 'ends before' | 'lacks entries';
  readonly outcomes: Outcomes;
};

/** The outcomes of bundles that are verified as they are. */
export const good = (...names: readonly string[]): Outcomes =>
  Object.fromEntries(names.map((name) => [`pack ${name} merkle_inclusion`, 'PASS']));
/** An element of a page with these attributes. */
export const element = (attributes: string) => (json: string) => `<script ${attributes}>${json}</script>`;
/** What a pack comes to without its entry and the log. */
export const WORD: Outcomes = { 'pack pack_made_at': 'SKIP', 'pack pack_content': 'SKIP' };
/** The outcome of the parts of a pack. */
export const parts = (outcome: string): Outcomes => ({ 'pack pack_parts': outcome });
