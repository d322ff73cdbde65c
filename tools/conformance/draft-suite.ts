import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHex, utf8 } from '@answer-evidence/encoding';
import { createChoice } from '../../libs/domain/verify/fixtures/random-changes.ts';
import {
  type Changed,
  listJsonChanges,
  listLineChanges,
  listTextChanges,
  listTransplants,
  listTrustChanges,
} from './changes.ts';
import { type ArtefactFile, type ArtefactSet, listSets, WITHOUT_TEXTS } from './list-sets.ts';

/** What a file has in the place of its own bytes; `hex` is for what is not text. */
type Edit =
  | { readonly start: number; readonly end: number; readonly text: string }
  | { readonly start: number; readonly end: number; readonly hex: string }
  | { readonly removed: true };

/** One changed file of a set: a line of `changes.jsonl`, without its verdict. */
export type Change = {
  readonly set: string;
  readonly file: string;
  /** Where in the file, and how; for readers, and for the rules. */
  readonly path: string;
  readonly how: string;
} & Edit;

/** The suite before anyone has judged it. */
export type Draft = {
  readonly seed: string;
  readonly sets: readonly ArtefactSet[];
  readonly changes: readonly Change[];
  /** The bytes of every file of the suite by its path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
};

/** How many changes are drawn of one file of a set. */
const DRAWN = { bundle: 50, proof: 220, records: 60, references: 25, trust: 18, receipt: 60, entry: 30 } as const;
/** How many changes are drawn of a file that other sets have, too. */
const DRAWN_AGAIN = 15;
const TRANSPLANTS_DRAWN = 4;
const BITS_FLIPPED = 12;

/** Draws the suite from the frozen artefacts: the same seed gives the same suite. */
export function draftSuite(frozen: string, seed: string): Draft {
  const sets = listSets(frozen);
  const choose = createChoice(seed);
  const files = new Map(sets.flatMap(({ files: own }) => own).map(({ path, text }) => [path, utf8(text)]));
  for (const path of sets.flatMap(({ log }) => log ?? []))
    files.set(`tlog/${path}`, new Uint8Array(readFileSync(join(frozen, 'tlog', path))));
  const changes = sets.flatMap((set): readonly Change[] => [
    ...set.files.flatMap((file) => changesOfFile(set, file, choose)),
    ...listForeign(set, sets, choose),
    ...(set.log ?? []).flatMap((path) => changesOfTile(set, path, files.get(`tlog/${path}`), choose)),
  ]);
  return { seed, sets, changes, files };
}

function changesOfFile(set: ArtefactSet, file: ArtefactFile, choose: Choose): readonly Change[] {
  const isOwn = file.name === 'receipt' || (file.name === 'bundle' && set.name.endsWith(WITHOUT_TEXTS));
  const isRepeated = set.name.includes(',') && !isOwn;
  const drawn = drawSome(listChanges(file), isRepeated ? DRAWN_AGAIN : DRAWN[file.name], choose);
  return drawn.map((changed) => asChange(set, file, changed));
}

/**
 * Time-stamps and certificates are changed as wholes: what is left of a damaged one is decided by libraries, which read
 * more than the formats ask for.
 */
const IN_DER = /\/(certificate_pem|artefact)$|^\/tsa_roots/;

function listChanges({ name, text }: ArtefactFile): readonly Changed[] {
  const isWhole = ({ path, how }: Changed) => how !== 'rewritten' || !IN_DER.test(path);
  if (name === 'trust') return listTrustChanges(text).filter(isWhole);
  if (name === 'bundle' || name === 'proof') return listJsonChanges(text).filter(isWhole);
  return name === 'entry' ? listTextChanges('/entry', text) : listLineChanges(`/${name}`, text);
}

/**
 * Members, and for the files of runs and receipts whole files, that belong to the next set of the kind. A bundle
 * without texts gets those of the same record with texts.
 */
function listForeign(set: ArtefactSet, sets: readonly ArtefactSet[], choose: Choose): readonly Change[] {
  const same = sets.filter(({ kind, name }) => kind === set.kind && (name === set.name || !name.includes(',')));
  const withTexts = sets.find(({ name }) => set.name === `${name}${WITHOUT_TEXTS}`);
  const next = withTexts ?? same[(same.indexOf(set) + 1) % same.length];
  return set.files.flatMap((file) => {
    const other = next?.files.find(({ name }) => name === file.name);
    if (other === undefined || other.path === file.path || file.name === 'trust') return [];
    if (file.name === 'bundle' || file.name === 'proof')
      return drawSome(listTransplants(file.text, other.text), TRANSPLANTS_DRAWN, choose).map((changed) =>
        asChange(set, file, changed),
      );
    return [asChange(set, file, { path: `/${file.name}`, how: 'foreign', text: other.text })];
  });
}

function changesOfTile(
  set: ArtefactSet,
  path: string,
  bytes: Uint8Array | undefined,
  choose: Choose,
): readonly Change[] {
  if (bytes === undefined) throw new Error(`the log has no ${path}`);
  const { length } = bytes;
  const to = (how: string, edit: Edit): Change => ({
    set: set.name,
    file: `log/${path}`,
    path: `/${path}`,
    how,
    ...edit,
  });
  const flips = Array.from({ length: BITS_FLIPPED }, () => {
    const at = choose(length);
    const flipped = (bytes[at] ?? 0) ^ (1 << choose(8));
    return to('bit', { start: at, end: at + 1, hex: formatHex(Uint8Array.of(flipped)) });
  });
  const half = Math.floor(length / 2);
  return [
    to('removed', { removed: true }),
    to('emptied', { start: 0, end: length, hex: '' }),
    to('extended', { start: length, end: length, hex: '00' }),
    to('cut', { start: length - 1, end: length, hex: '' }),
    to('cut', { start: half, end: length, hex: '' }),
    ...flips,
  ];
}

type Choose = (below: number) => number;

/** `count` of the items, drawn without repetition, in their order. */
function drawSome<T>(items: readonly T[], count: number, choose: Choose): readonly T[] {
  const rest = items.map((_, index) => index);
  const drawn: number[] = [];
  while (drawn.length < count && rest.length > 0) drawn.push(...rest.splice(choose(rest.length), 1));
  return drawn.sort((a, b) => a - b).flatMap((index) => items.slice(index, index + 1));
}

function asChange(set: ArtefactSet, file: ArtefactFile, { path, how, text }: Changed): Change {
  return { set: set.name, file: file.name, path, how, ...editOf(file.text, text) };
}

/** The one place in which two texts differ, in bytes of the first. */
function editOf(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (splits(before, start) || splits(after, start)) start -= 1;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  if (splits(before, before.length - tail) || splits(after, after.length - tail)) tail -= 1;
  return {
    start: utf8(before.slice(0, start)).length,
    end: utf8(before.slice(0, before.length - tail)).length,
    text: after.slice(start, after.length - tail),
  };
}

/** Whether a place in a text is between the two halves of a character. */
function splits(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
