import type { JsonValue } from '@answer-evidence/contracts';
import { element, good, MADE_AT, NAMES, type Pack, type PackRow, parts, WORD } from './pack-case.ts';

const lost = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`pack ${name} readable`, 'FAIL']));
const BROKEN = { ...parts('FAIL'), ...WORD };

const manifest = (change: (value: Record<string, JsonValue>) => void) => (pack: Pack) => {
  const part = pack.parts[0];
  if (part === undefined) throw new Error('the pack has no list');
  const value = JSON.parse(part.json) as Record<string, JsonValue>;
  change(value);
  pack.parts[0] = { ...part, json: JSON.stringify(value) };
};
/** Adds bundles, each on the list, until there are so many parts. */
const fill = (count: number) => (pack: Pack) => {
  const added = Array.from({ length: count - pack.parts.length }, (_, n) => `bundle-${NAMES.length + n + 1}`);
  manifest((value) => (value['bundles'] = [...NAMES, ...added]))(pack);
  pack.parts.push(...added.map((id) => ({ id, json: '{}' })));
};
const written =
  (write: (json: string) => string, n = 3) =>
  ({ parts: all }: Pack) => {
    const part = all[n];
    if (part !== undefined) all[n] = { ...part, written: write };
  };
const json =
  (change: (text: string) => string, n = 3) =>
  ({ parts: all }: Pack) => {
    const part = all[n];
    if (part !== undefined) all[n] = { ...part, json: change(part.json) };
  };

/** Other ways to write the second bundle than that of the format; a browser or a reader may take each for one. */
const BENT: readonly (readonly [name: string, write: (json: string) => string, lostName?: string])[] = [
  ['single quotes', element(`type='application/json' id='bundle-2'`)],
  ['no quotes', element('type=application/json id=bundle-2')],
  ['the id first', element('id="bundle-2" type="application/json"')],
  ['an attribute more', element('type="application/json" id="bundle-2" async')],
  ['two spaces', element('type="application/json"  id="bundle-2"')],
  ['a line feed', element('type="application/json"\nid="bundle-2"')],
  ['capital letters', (text) => `<SCRIPT type="application/json" id="bundle-2">${text}</SCRIPT>`],
  ['capitals in its end', (text) => `<script type="application/json" id="bundle-2">${text}</SCRIPT>`],
  ['a space in its end', (text) => `<script type="application/json" id="bundle-2">${text}</script >`],
  ['another type', element('type="application/ld+json" id="bundle-2"')],
  ['no type', element('id="bundle-2"')],
  ['a comment around it', (text) => `<!-- ${element('type="application/json" id="bundle-2"')(text)} -->`],
  ['a "<" in it', (text) => element('type="application/json" id="bundle-2"')(text.replace('{', '{"a":"<",'))],
];

/** Packs whose parts are bent. */
export const BENT_PACKS: readonly PackRow[] = [
  { id: 'unchanged', outcomes: { ...parts('PASS'), ...WORD, ...good(...NAMES) } },
  {
    id: 'a program before the parts',
    page: (page) => page.replace('<body>', '<body><script>let a = 1;</script>'),
    outcomes: { ...parts('PASS'), ...good(...NAMES) },
  },
  {
    id: 'a bundle missing',
    change: ({ parts: all }) => all.splice(3, 1),
    outcomes: { ...BROKEN, ...lost('bundle-2'), ...good('bundle-1', 'bundle-3') },
  },
  {
    id: 'a bundle doubled',
    change: ({ parts: all }) => all.push(...all.slice(3, 4)),
    outcomes: { ...BROKEN, ...lost('bundle-2'), ...good('bundle-1', 'bundle-3') },
  },
  {
    id: 'two parts swapped',
    change: ({ parts: all }) => all.splice(2, 2, ...all.slice(2, 4).reverse()),
    outcomes: { ...BROKEN, ...lost('bundle-2'), ...good('bundle-1', 'bundle-3') },
  },
  {
    id: 'two bundles swapped, each under the name of the other',
    change: ({ parts: all }) => {
      const [one, two] = [all[2], all[3]];
      if (one === undefined || two === undefined) return;
      all[2] = { ...one, json: two.json };
      all[3] = { ...two, json: one.json };
    },
    outcomes: { ...parts('PASS'), ...good(...NAMES) },
  },
  {
    id: 'a bundle that is not on the list',
    change: manifest((value) => (value['bundles'] = NAMES.slice(0, 2))),
    outcomes: { ...BROKEN, ...lost('bundle-3'), ...good('bundle-1', 'bundle-2') },
  },
  {
    id: 'a name on the list twice',
    change: manifest((value) => (value['bundles'] = ['bundle-1', 'bundle-2', 'bundle-2'])),
    outcomes: { ...BROKEN, ...lost('bundle-2', 'bundle-3'), ...good('bundle-1') },
  },
  {
    id: 'names of the list in another order',
    change: manifest((value) => (value['bundles'] = ['bundle-2', 'bundle-1', 'bundle-3'])),
    outcomes: { ...BROKEN, ...lost('bundle-1', 'bundle-2'), ...good('bundle-3') },
  },
  {
    id: 'a name of another form',
    change: manifest((value) => (value['bundles'] = ['bundle-1', 'bundle-02', 'bundle-3'])),
    outcomes: { ...BROKEN, ...good('bundle-1') },
  },
  {
    id: 'a number in the list',
    change: manifest((value) => (value['bundles'] = ['bundle-1', 2, 'bundle-3'])),
    outcomes: { ...BROKEN, ...good('bundle-1') },
  },
  {
    id: 'an empty list',
    change: manifest((value) => (value['bundles'] = [])),
    outcomes: { ...BROKEN, ...lost(...NAMES) },
  },
  {
    id: 'a list that is an object',
    change: manifest((value) => (value['bundles'] = {})),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'no list',
    change: ({ parts: all }) => all.shift(),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'the list doubled',
    change: ({ parts: all }) => all.unshift(...all.slice(0, 1)),
    outcomes: { 'pack pack_parts': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'a list that is not JSON',
    change: json((text) => text.slice(1), 0),
    outcomes: { 'pack pack_parts': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'a member of the list doubled',
    change: json((text) => text.replace('{', `{"made_at":"${MADE_AT}",`), 0),
    outcomes: { 'pack pack_parts': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'another format',
    change: manifest((value) => (value['format'] = 'answer-evidence-pack/v9')),
    outcomes: { 'pack pack_parts': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'a time that does not exist',
    change: manifest((value) => (value['made_at'] = '2024-02-30T00:00:00.000000Z')),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'no time',
    change: manifest((value) => delete value['made_at']),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'no origin',
    change: manifest((value) => delete value['origin']),
    outcomes: { 'pack pack_parts': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'no trust file in it',
    change: ({ parts: all }) => all.splice(1, 1),
    outcomes: { ...BROKEN, ...good(...NAMES) },
  },
  {
    id: 'two trust files in it',
    change: ({ parts: all }) => all.splice(1, 0, ...all.slice(1, 2)),
    outcomes: { ...BROKEN, ...good(...NAMES) },
  },
  {
    id: 'a bundle that is not JSON',
    change: json(() => 'no bundle'),
    outcomes: { ...good('bundle-1', 'bundle-3'), ...lost('bundle-2') },
  },
  {
    id: 'a bundle of another format',
    change: json((text) => text.replace('answer-evidence-bundle/v1', 'answer-evidence-bundle/v9')),
    outcomes: { ...good('bundle-1', 'bundle-3'), ...lost('bundle-2') },
  },
  {
    id: 'a bundle with another answer',
    change: json((text) => text.replace(/("answer":\{"text":")/, '$1x')),
    outcomes: {
      ...parts('PASS'),
      ...good(...NAMES),
      'pack bundle-1 answer_commitment': 'PASS',
      'pack bundle-2 answer_commitment': 'FAIL',
    },
  },
  {
    id: 'a bundle whose form is broken',
    change: json((text) => text.replace('"status"', '"stature"')),
    outcomes: {
      ...parts('PASS'),
      ...good('bundle-1', 'bundle-3'),
      'pack bundle-2 merkle_inclusion': 'FAIL',
      'pack bundle-2 record_hash': 'FAIL',
    },
  },
  {
    id: 'a part more',
    change: ({ parts: all }) => all.push({ id: 'notes', json: '{}' }),
    outcomes: { ...BROKEN, ...lost('notes'), ...good(...NAMES) },
  },
  {
    id: 'a thousand parts',
    change: fill(1_000),
    outcomes: { ...parts('PASS'), ...good(...NAMES), ...lost('bundle-4', 'bundle-998') },
  },
  {
    id: 'a part above a thousand',
    change: fill(1_001),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', 'pack pack_content': 'SKIP' },
  },
  {
    id: 'a name above a thousand',
    change: manifest((value) => (value['bundles'] = Array.from({ length: 1_001 }, (_, n) => `bundle-${n + 1}`))),
    outcomes: { 'pack pack_parts': 'FAIL', 'pack pack_made_at': 'FAIL', ...good(...NAMES) },
  },
  {
    id: 'a part without an id',
    change: ({ parts: all }) => all.push({ id: '', json: '{}', written: element('type="application/json"') }),
    outcomes: { ...BROKEN, ...good(...NAMES) },
  },
  {
    id: 'a bundle under a name in capital letters',
    change: ({ parts: all }) => all.push({ id: 'Bundle-4', json: all[2]?.json ?? '' }),
    outcomes: { ...BROKEN, ...lost('Bundle-4'), ...good(...NAMES) },
  },
  {
    id: 'a part without an end',
    change: written((text) => `<script type="application/json" id="bundle-3">${text}`, 4),
    outcomes: { ...BROKEN, ...lost('bundle-3'), ...good('bundle-1', 'bundle-2') },
  },
  ...BENT.map(([id, write]): PackRow => ({
    id: `a part with ${id}`,
    change: written(write),
    outcomes: { ...BROKEN, ...lost('bundle-2'), ...good('bundle-1', 'bundle-3') },
  })),
];
