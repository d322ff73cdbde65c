import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = readFileSync(join(ROOT, 'e2e/frozen/v1/bundles/plain.json'), 'utf8');
const TRUST = readFileSync(join(ROOT, 'e2e/frozen/v1/trust/trust.json'), 'utf8');
const PACK = readFileSync(join(ROOT, 'tools/fuzz/corpus/packs/pack.html'), 'utf8');

/** What a text has that would run where it is taken for a page, or turn a terminal. */
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u001b]0;x\u0007\u202e';
const DEEP = 1_000_000;
const MANY = 100_000;

/** The JSON with each text replaced, but for the formats, by which it is known. */
function withTexts(json: string, text: string): string {
  const replace = (name: string, value: unknown): unknown =>
    typeof value === 'string' && name !== 'format' ? text : value;
  return JSON.stringify(JSON.parse(json), replace);
}

/** The JSON with a member more, as text: no object could have all of them. */
function withMember(json: string, member: string): string {
  return json.replace('{', () => `{${member},`);
}

const nested = `"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const many = `"leaves":[${Array(MANY).fill('{"leaf_hash":"x"}').join()}]`;
const prototypes = '"__proto__":{"format":"x","logs":[]},"constructor":{"prototype":{"outcome":"PASS"}},"toString":1';
const doubled = '"format":"answer-evidence-bundle/v2","record":null,"record":{}';

/** Members that no file of ours has, by what is hostile in them. */
const MEMBERS = {
  'nested a million deep': nested,
  'with a hundred thousand leaves': many,
  'with members of prototypes': prototypes,
  'with members twice': doubled,
} as const;

const each = (json: string): readonly (readonly [name: string, text: string])[] => [
  ...Object.entries(MEMBERS).map(([name, member]) => [name, withMember(json, member)] as const),
  ['with markup as every text', withTexts(json, MARKUP)],
];

/** A page that has the other one as its bundle, as it is and as one text. */
function packOf(inner: string): string {
  return PACK.replace(/(id="bundle-1">)[^]*?(<\/script>)/, (_, begin: string, end: string) => begin + inner + end);
}

/** Bundles and packs that somebody hostile has made, by name. */
export const HOSTILE_EVIDENCE: readonly (readonly [name: string, text: string])[] = [
  ...each(BUNDLE).map(([name, text]) => [`bundle ${name}.json`, text] as const),
  ...each(BUNDLE).map(
    ([name, text]) => [`pack of a bundle ${name}.html`, packOf(text.replaceAll('<', '\\u003c'))] as const,
  ),
  ['a pack within a pack.html', packOf(PACK)],
  ['a pack within a pack, as a text.html', packOf(JSON.stringify(PACK).replaceAll('<', '\\u003c'))],
  ['a pack of a thousand packs.html', PACK.repeat(1_000)],
];

/** Trust files of the same kinds. */
export const HOSTILE_TRUST = each(TRUST).map(([name, text]) => [`trust file ${name}.json`, text] as const);

/** A bundle that is what it says, to be verified with those. */
export const SOUND_BUNDLE = BUNDLE;
