import { describe, expect, it } from '@jest/globals';
import { readPack } from './read-pack.ts';

const part = (id: string, json: string) => `<script type="application/json" id="${id}">${json}</script>`;
const list = (...bundles: readonly unknown[]) =>
  part(
    'pack',
    JSON.stringify({
      format: 'answer-evidence-pack/v1',
      made_at: '2026-01-02T03:04:05.000000Z',
      origin: 'log.example/demo',
      bundles,
    }),
  );
const TRUST = part('trust', '{}');
const TWO = list('bundle-1', 'bundle-2');
const PROGRAM = '<script>const a = "<!-- ";</script>';
const page = (...parts: readonly string[]) => `<!doctype html><html><body>${parts.join('\n')}${PROGRAM}</body></html>`;
const one = part('bundle-1', '1');
const two = part('bundle-2', '2');

/** Each bundle with its text or with an exclamation mark for its fault, and the number of faults of the pack. */
function read(text: string) {
  const pack = readPack(text);
  return {
    bundles: pack?.bundles.map((bundle) => `${bundle.name} ${'text' in bundle ? bundle.text : '!'}`),
    faults: pack?.faults.length,
  };
}

describe('readPack', () => {
  it('finds the bundles of the list', () => {
    const pack = readPack(page(TWO, TRUST, one, two));
    expect(pack).toEqual({
      manifest: {
        madeAt: '2026-01-02T03:04:05.000000Z',
        origin: 'log.example/demo',
        operator: undefined,
        purpose: undefined,
        recipient: undefined,
        links: new Map(),
      },
      trust: '{}',
      bundles: [
        { name: 'bundle-1', text: '1' },
        { name: 'bundle-2', text: '2' },
      ],
      faults: [],
    });
  });

  it('reads what the cover says, and leaves out what has another form', () => {
    const at = '2026-02-02T03:04:05.000000Z';
    const good = { url: 'https://log.example/proof/#ael_a', expires_at: at };
    const covered = (cover: object) => {
      const written = list('bundle-1').replace('{', `{${JSON.stringify(cover).slice(1, -1)},`);
      return readPack(page(written, TRUST, one))?.manifest;
    };
    expect(
      covered({ operator: 'Demo', purpose: 'Case', recipient: 'Court', links: { 'bundle-1': good } }),
    ).toMatchObject({
      operator: 'Demo',
      purpose: 'Case',
      recipient: 'Court',
      links: new Map([['bundle-1', { url: good.url, expiresAt: at }]]),
    });
    const odd = [7, null, 'x', {}, { ...good, url: 'javascript:alert(1)' }, { ...good, url: 'https://a b' }];
    for (const link of [...odd, { ...good, expires_at: 'soon' }])
      expect(covered({ purpose: 7, links: { 'bundle-1': link } })).toMatchObject({
        purpose: undefined,
        links: new Map(),
      });
    for (const links of [7, null, [], 'x']) expect(covered({ links })).toMatchObject({ links: new Map() });
  });

  it.each([
    ['is missing', page(TWO, TRUST, one)],
    ['is there twice', page(TWO, TRUST, one, two, two)],
    ['stands in a comment', page(TWO, TRUST, one, `<!-- ${two} -->`)],
    ['stands in a comment without an end', page(TWO, TRUST, one, `<!-- ${two}`)],
    [
      'has its attributes in another order',
      page(TWO, TRUST, one, '<script id="bundle-2" type="application/json">2</script>'),
    ],
    ['has capital letters', page(TWO, TRUST, one, two.replace('script', 'SCRIPT'))],
    ['has other quotes', page(TWO, TRUST, one, two.replaceAll('"', "'"))],
    ['has no quotes', page(TWO, TRUST, one, two.replaceAll('"', ''))],
    ['has an attribute more', page(TWO, TRUST, one, two.replace(' id', ' a=">" id'))],
    ['has its id twice', page(TWO, TRUST, one, two.replace('>', ' id="bundle-3">'))],
    ['is of another type', page(TWO, TRUST, one, two.replace('application/json', 'text/javascript'))],
    ['ends in another way', page(TWO, TRUST, one, two.replace('</script>', '</script >'))],
    ['holds another element', page(TWO, TRUST, one, part('bundle-2', '<script>2'))],
    ['stands before the one before it', page(TWO, TRUST, two, one)],
  ])('a bundle that %s has a fault, and hides no other', (_, text) => {
    expect(read(text)).toEqual({ bundles: ['bundle-1 1', 'bundle-2 !'], faults: 0 });
  });

  it.each([
    [
      'an odd name on the list',
      page(list('bundle-1', 'bundle-x'), TRUST, one, part('bundle-x', '2')),
      ['bundle-1 1', 'place 2 !'],
    ],
    ['a number with a zero', page(list('bundle-1', 'bundle-02'), TRUST, one), ['bundle-1 1', 'place 2 !']],
    [
      'a name with a line break',
      page(list('bundle-1', 'bundle-2\n'), TRUST, one, two),
      ['bundle-1 1', 'place 2 !', 'bundle-2 !'],
    ],
    ['no name at all', page(list('bundle-1', 7, null), TRUST, one), ['bundle-1 1', 'place 2 !', 'place 3 !']],
    ['a name twice', page(list('bundle-1', 'bundle-1'), TRUST, one), ['bundle-1 !', 'bundle-1 !']],
    [
      'a gap in the list',
      page(list('bundle-1', 'bundle-3'), TRUST, one, part('bundle-3', '3')),
      ['bundle-1 1', 'bundle-3 !'],
    ],
    ['another order of the list', page(list('bundle-2', 'bundle-1'), TRUST, one, two), ['bundle-2 !', 'bundle-1 !']],
    ['a part that is not on the list', page(list('bundle-1'), TRUST, one, two), ['bundle-1 1', 'bundle-2 !']],
    [
      'such a part with an odd id',
      page(list('bundle-1'), TRUST, one, part('Bundle-2', '2')),
      ['bundle-1 1', 'Bundle-2 !'],
    ],
    [
      'such a part with an escaped id',
      page(list('bundle-1'), TRUST, one, part('bundle&#45;2', '2')),
      ['bundle-1 1', 'a part without a readable id !'],
    ],
    [
      'such a part without an id',
      page(list('bundle-1'), TRUST, one, '<script type="application/json">2</script>'),
      ['bundle-1 1', 'a part without a readable id !'],
    ],
    ['such a part in a comment', page(list('bundle-1'), TRUST, one, `<!--${two}-->`), ['bundle-1 1', 'bundle-2 !']],
    ['such a part after the page', `${page(list('bundle-1'), TRUST, one)}${two}`, ['bundle-1 1', 'bundle-2 !']],
  ])('%s is among the bundles', (_, text, bundles) => {
    expect(read(text)).toEqual({ bundles, faults: 0 });
  });

  it.each([
    ['two lists', page(list('bundle-1'), TWO, TRUST, one, two), ['bundle-1 1', 'bundle-2 2']],
    [
      'two lists in one',
      page(list('bundle-1').replace('"bundles"', '"bundles":[],"bundles"'), TRUST, one),
      ['bundle-1 1'],
    ],
    ['no list', page(TRUST, one, part('bundle-x', '2')), ['bundle-1 1', 'bundle-x !']],
    ['a list that is not JSON', page(part('pack', '{'), TRUST, one), ['bundle-1 1']],
    ['a list of another version', page(TWO.replace('pack/v1', 'pack/v2'), TRUST, one), ['bundle-1 1']],
    ['a list that is no list', page(list().replace('[]', '7'), TRUST, one), ['bundle-1 1']],
    ['no time', page(list('bundle-1').replace('2026-01-02T', '2026-02-30T'), TRUST, one), ['bundle-1 1']],
    ['no trust file', page(list('bundle-1'), one), ['bundle-1 1']],
    ['two trust files', page(list('bundle-1'), TRUST, TRUST, one), ['bundle-1 1']],
    ['no bundle', page(list(), TRUST), []],
  ])('%s is a fault of the pack, whose bundles are found', (_, text, bundles) => {
    expect(read(text)).toMatchObject({ bundles, faults: 1 });
  });

  it('reads a thousand parts, and nothing of a page with more, or with none of its own among so many', () => {
    const names = Array.from({ length: 998 }, (_, n) => `bundle-${n + 1}`);
    const full = [list(...names), TRUST, ...names.map((name) => part(name, '1'))];
    expect(read(page(...full))).toEqual({ bundles: names.map((name) => `${name} 1`), faults: 0 });
    for (const more of [page(...full, part('x', '1')), page(...Array<string>(1_001).fill('<script a>1</script>'))])
      expect(readPack(more)).toEqual({
        manifest: undefined,
        trust: undefined,
        bundles: [],
        faults: ['the file has more than 1000 parts'],
      });
  });

  it('takes a list of more than a thousand names for none', () => {
    const names = Array.from({ length: 1_001 }, (_, n) => `bundle-${n + 1}`);
    expect(read(page(list(...names), TRUST, one))).toEqual({ bundles: ['bundle-1 1'], faults: 1 });
  });

  it.each([
    ['a page', page()],
    ['a page with a program of its own', page('<script src="a.js"></script>')],
    ['a bundle that quotes one', JSON.stringify({ text: 'no script' })],
  ])('%s is no pack', (_, text) => {
    expect(readPack(text)).toBeUndefined();
  });
});
