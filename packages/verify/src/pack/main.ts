import type { CheckName } from '@answer-evidence/contracts';
import { formatFingerprint } from '@answer-evidence/note';
import { type Pack, type PackBundle, readPack, sayDetail, type WordLanguage } from '@answer-evidence/verify';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { element, table } from '../page/elements.ts';
import { openLanguageChoice } from '../page/fixed-texts.ts';
import { addFiles, addLog, type Given, listChosen, type Taken } from '../page/given-files.ts';
import { fill, PAGE_WORDS } from '../page/page-words.ts';
import { showPack } from '../page/show-pack.ts';
import { showVerification } from '../page/show-verification.ts';
import { judgePack, type Means, verifyShown } from '../page/verify-given.ts';
import { readTrust } from '../read-input.ts';
import { addFooters } from './footers.ts';
import { findId, type PackRecord } from './pack-record.ts';
import { PACK_WORDS } from './pack-words.ts';
import { showAppendix } from './show-appendix.ts';
import { describeWhen, showCover } from './show-cover.ts';
import { showLink } from './show-link.ts';

/** What these find depends on which keys are believed. */
const BY_KEYS: ReadonlySet<CheckName> = new Set<CheckName>([
  'checkpoint_signature',
  'receipt',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
]);

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

let given: Given = { evidence: [] };
let language: WordLanguage = 'en';
/** Files that come while records are verified: only the newest result is shown. */
let round = 0;
let hasFooters = false;

function begin(pack: Pack): void {
  const [picked, folder] = [byId('files'), byId('folder')] as [HTMLInputElement, HTMLInputElement];
  picked.addEventListener('change', () => void take(pack, (before) => addFiles(before, [...(picked.files ?? [])])));
  folder.addEventListener(
    'change',
    () => void take(pack, (before) => addLog(before, listChosen([...(folder.files ?? [])]))),
  );
  language = openLanguageChoice(byId('language') as HTMLSelectElement, (chosen) => {
    language = chosen;
    void verifyAll(pack);
  });
  void verifyAll(pack);
}

async function take(pack: Pack, add: (before: Given) => Taken | Promise<Taken>): Promise<void> {
  const taken = await add(given);
  // The bundles are those of the pack: this page is no place to verify others.
  const isOfPack = (kind: string) => kind === 'receipt' || kind === 'response';
  const evidence = taken.given.evidence.filter(({ is }) => isOfPack(is.kind));
  const others = taken.given.evidence.filter(({ is }) => !isOfPack(is.kind));
  given = { ...taken.given, evidence };
  const refused = others.map(({ name }) => fill(PACK_WORDS[language].notUsed, { name }));
  byId('messages').replaceChildren(
    ...[...taken.refused.map((text) => sayDetail(text, language)), ...refused].map(showFault),
  );
  await verifyAll(pack);
}

async function verifyAll(pack: Pack): Promise<void> {
  const mine = ++round;
  const words = PACK_WORDS[language];
  const [result, cover, appendix] = [byId('result'), byId('cover'), byId('appendix')];
  document.body.dataset['state'] = 'verifying';
  byId('keys').replaceChildren(...showKeys(pack));
  for (const emptied of [result, cover, appendix]) emptied.replaceChildren();
  const means = readMeans(pack);
  byId('made').replaceChildren(...showPack(pack, await judgePack(pack, given, means), language));
  const records: PackRecord[] = [];
  for (const [n, bundle] of pack.bundles.entries()) {
    byId('progress').textContent = fill(words.progress, { n: n + 1, all: pack.bundles.length });
    const { shown, record } = await showRecord(pack, bundle, n, means);
    if (mine !== round) return;
    result.append(shown);
    records.push(record);
  }
  cover.replaceChildren(...showCover(pack, records, language));
  appendix.replaceChildren(...showAppendix(records, language));
  if (!hasFooters) addFooters(records);
  hasFooters = true;
  byId('progress').textContent = '';
  document.body.dataset['state'] = 'verified';
}

/** The reader's keys, or else those of the pack. Where these cannot be read, nobody is trusted: `showKeys` says why. */
function readMeans(pack: Pack): Means {
  const log = given.log?.read;
  try {
    return { trust: readTrust(given.trust?.bytes ?? pack.trust ?? ''), log };
  } catch {
    return { trust: undefined, log };
  }
}

async function showRecord(
  pack: Pack,
  bundle: PackBundle,
  n: number,
  means: Means,
): Promise<{ readonly shown: HTMLElement; readonly record: PackRecord }> {
  const [words, labels] = [PACK_WORDS[language], PAGE_WORDS[language]];
  const number = n + 1;
  const heading = element('h2', {}, fill(labels.recordOf, { n: number, all: pack.bundles.length }));
  const attributes = { id: `record-${number}`, className: 'record' };
  const unread = { number, id: undefined, bundle: undefined, verification: undefined };
  if ('fault' in bundle) {
    const fault = showFault(`FAIL: ${bundle.name}: ${sayDetail(bundle.fault, language)}.`);
    return { shown: element('section', attributes, heading, fault), record: unread };
  }
  const { name, text } = bundle;
  const save = element('button', { type: 'button' }, words.save);
  save.addEventListener('click', () => saveAs(`${name}.json`, text));
  const tools = element('p', { className: 'tools' }, save);
  const receipts = given.evidence.flatMap(({ is }) => (is.kind === 'receipt' ? [is.receipt] : []));
  try {
    const value: unknown = JSON.parse(text);
    const receipt = pack.bundles.length === 1 ? receipts[0] : undefined;
    const verification = await verifyShown(text, means, receipt);
    const isByOwnKeys = given.trust === undefined;
    const checks = verification.checks.map((check) =>
      isByOwnKeys && check.outcome === 'PASS' && BY_KEYS.has(check.check) ? { ...check, note: words.byOwnKeys } : check,
    );
    const shown = element(
      'section',
      attributes,
      heading,
      element('p', { className: 'when' }, describeWhen(value, language)),
      ...showLink(pack.manifest?.links.get(name), language),
      tools,
      ...showVerification({ ...verification, checks }, value, { language, isByOwnKeys }),
    );
    return { shown, record: { number, id: findId(verification), bundle: value, verification } };
  } catch (error) {
    return { shown: element('section', attributes, heading, tools, showFault(say(error))), record: unread };
  }
}

function showKeys(pack: Pack): readonly Node[] {
  const own = given.trust;
  const [words, labels] = [PACK_WORDS[language], PAGE_WORDS[language]];
  try {
    const rows = readTrust(own?.bytes ?? pack.trust ?? '').logs.flatMap(({ origin, keys }) =>
      keys.map(({ vkey }) => [origin, formatFingerprint(vkey)]),
    );
    return [
      element('h2', {}, own === undefined ? words.keysBrought : fill(words.keysOwn, { name: own.name })),
      element(
        'p',
        { className: own === undefined ? 'fault' : '' },
        own === undefined ? words.keysProve : words.keysUsed,
      ),
      table([labels.log, labels.fingerprint], rows),
    ];
  } catch (error) {
    return [showFault(say(error))];
  }
}

function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

function showFault(text: string): HTMLElement {
  return element('p', { className: 'fault', role: 'alert' }, text);
}

function say(error: unknown): string {
  const { nothing, fault } = PAGE_WORDS[language];
  if (error instanceof EvidenceFormatError) return `${nothing}: ${sayDetail(error.message, language)}.`;
  return `${nothing}: ${error instanceof Error ? sayDetail(error.message, language) : fault}.`;
}

function start(): void {
  // The text of the whole page, as every other verifier reads a pack: what looks like a part is found wherever it is.
  const pack = readPack(document.documentElement.outerHTML);
  if (pack !== undefined) return begin(pack);
  byId('messages').replaceChildren(showFault('Nothing was verified: this page has no part of an evidence pack.'));
  document.body.dataset['state'] = 'failed';
}

// Parts may stand behind this program.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
