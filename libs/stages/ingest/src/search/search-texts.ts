import type { Caller } from '@answer-evidence/access';
import { NO_LIMITS, type SearchRequest, type WordSearch } from '@answer-evidence/contracts';
import type { FoundByTokens, ListedRecord, WordIndexRow, WordSearchFilters, Workspace } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { readSought } from '../words/read-sought.ts';
import { listSimilar } from '../words/similar-words.ts';
import { INDEXED_FIELDS, isReadable, wordsOf } from '../words/word-index.ts';
import { isSessionOpen } from './search-session.ts';

/** So many records are counted at most. */
const COUNTED_MAX = 1_000;
/** So often a word is left out by itself, before the rarest one is looked for alone. */
const NARROWER_MAX = 2;
/** Words that no text has of which similar ones are looked for, and how many of those. */
const UNKNOWN_MAX = 3;
const INSTEAD_MAX = 8;

type Asked = Pick<SearchRequest, 'session'> & {
  /** What of the text nothing else explains. */
  readonly rest: string;
  readonly filters: WordSearchFilters;
  readonly size: number;
};

/** What was found, and how many of it there are at least. */
type Found = {
  readonly records: readonly ListedRecord[];
  readonly total: number;
  readonly isTotal: boolean;
};

/** A word, with what a text must have of each list to be found by it: one of them. */
type Sought = {
  readonly typed: string;
  readonly clauses: readonly (readonly string[])[];
  readonly instead?: readonly string[];
};

/**
 * Records in whose texts the words are, if the workspace searches for words and the caller gave a reason in this
 * session. Where no record has all of them, those that none has are left out, and then the commonest, one by one. What
 * the index says is compared with the texts, so that no row of it can make a record be found.
 */
export async function searchTexts(
  deps: IngestDeps,
  workspace: Workspace,
  caller: Caller,
  { session, rest, filters, size }: Asked,
): Promise<{ readonly said: WordSearch; readonly found?: Found }> {
  const { sought, leftOut } = readSought(rest);
  const said = (state: WordSearch['state']): WordSearch => {
    return { state, used: [], left_out: [], similar: [], is_limited: false, is_complete: true };
  };
  const { values } = await deps.readFreshSettings(workspace.id);
  if (!values.answer_audit_word_search_enabled) return { said: said('off') };
  if (sought.length === 0) return { said: { ...said('none'), left_out: [...leftOut] } };
  if (!(await isSessionOpen(deps, caller, session))) return { said: said('needs_reason') };
  const index = await deps.words.find(workspace.id);
  if (!isReadable(workspace.vault, index)) return { said: { ...said('searched'), is_complete: false } };

  const words = sought.map(({ typed, words: all }) => ({ typed, clauses: all.map((word) => [word]) }));
  const { found, used } = await searchFewer(deps, workspace, index, filters, words);
  const { records, lost } = await readFound(deps, workspace, found.leaves.slice(0, size), used);
  const isUsed = (typed: string) => records.length > 0 && used.some((word) => word.typed === typed);
  const isComplete = !(await deps.words.isBehind(workspace.id, index.next_leaf));
  return {
    said: {
      state: 'searched',
      used: sought.map(({ typed }) => typed).filter(isUsed),
      left_out: [...sought.map(({ typed }) => typed).filter((typed) => !isUsed(typed)), ...leftOut],
      similar: used.flatMap(({ typed, instead }) =>
        instead === undefined || !isUsed(typed) ? [] : [{ word: typed, instead: [...instead] }],
      ),
      is_limited: found.isLimited,
      is_complete: isComplete,
    },
    found: {
      records,
      total: found.leaves.length - lost,
      isTotal: found.leaves.length < COUNTED_MAX && !found.isLimited,
    },
  };
}

async function searchFewer(
  deps: IngestDeps,
  { id, vault }: Workspace,
  { salt }: WordIndexRow,
  filters: WordSearchFilters,
  all: readonly Sought[],
): Promise<{ readonly found: FoundByTokens; readonly used: readonly Sought[] }> {
  const tokenOf = vault.createTokenizer(salt);
  const tokensOf = (words: readonly string[]) =>
    words.flatMap((word) => INDEXED_FIELDS.map((field) => tokenOf(field, word)));
  let used = all;
  for (let round = 0; ; round++) {
    const clauses = used.flatMap((word) => word.clauses);
    const found = await deps.words.search(id, clauses.map(tokensOf), filters, COUNTED_MAX);
    if (found.leaves.length > 0) return { found, used };
    // A word is as rare as its rarest part.
    let next = 0;
    const counted = used.map((word) => {
      const counts = word.clauses.map(() => found.counts[next++] ?? 0);
      return { word, count: Math.min(...counts) };
    });
    if (round === 0) {
      const corrected = await Promise.all(
        counted.map(async ({ word, count }) => (count > 0 ? word : replaceUnknown(word))),
      );
      if (corrected.some((word, at) => word !== used[at])) {
        used = corrected;
        continue;
      }
    }
    if (used.length === 1) return { found, used };
    const known = counted.filter(({ count }) => count > 0);
    if (known.length > 0 && known.length < used.length) used = known.map(({ word }) => word);
    else {
      const rarestFirst = counted.toSorted((one, other) => one.count - other.count).map(({ word }) => word);
      const left = new Set(rarestFirst.slice(0, round > NARROWER_MAX ? 1 : -1));
      used = used.filter((word) => left.has(word));
    }
  }

  /** The word, or words that are like it where no text that the caller may find has it. */
  async function replaceUnknown(word: Sought): Promise<Sought> {
    const [[own] = []] = word.clauses;
    if (word.clauses.length !== 1 || own === undefined || all.indexOf(word) >= UNKNOWN_MAX) return word;
    const similar = [...listSimilar(word.typed)];
    if (similar.length === 0) return word;
    const stems = [own, ...similar.map(([stem]) => stem)];
    const known = await deps.words.findKnown(id, tokensOf(stems), filters.within ?? NO_LIMITS);
    const places = new Set(known.map((at) => Math.floor(at / INDEXED_FIELDS.length)));
    // In texts of another time or application, so it is no mistype.
    if (places.has(0)) return word;
    const likely = similar.filter((_, at) => places.has(at + 1)).slice(0, INSTEAD_MAX);
    if (likely.length === 0) return word;
    return { ...word, clauses: [likely.map(([stem]) => stem)], instead: likely.map(([, form]) => form) };
  }
}

/** The records, but for those whose texts do not have the words; and how many these are. */
async function readFound(
  deps: IngestDeps,
  { id, vault }: Workspace,
  leaves: readonly number[],
  used: readonly Sought[],
): Promise<{ readonly records: readonly ListedRecord[]; readonly lost: number }> {
  if (leaves.length === 0) return { records: [], lost: 0 };
  const contents = await deps.words.readRecords(id, leaves);
  const words = new Map<number, Set<string>>(leaves.map((leaf) => [leaf, new Set()]));
  for (const one of contents) {
    const own = words.get(one.recordLeaf);
    for (const [, listed] of wordsOf(vault, one)) for (const word of listed) own?.add(word);
    await deps.turn();
  }
  const isFound = (leaf: number) =>
    used.every(({ clauses }) => clauses.every((clause) => clause.some((word) => words.get(leaf)?.has(word) === true)));
  const kept = leaves.filter(isFound);
  return { records: await deps.records.listAt(id, kept), lost: leaves.length - kept.length };
}
