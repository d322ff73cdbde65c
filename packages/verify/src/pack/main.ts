import type { CheckName } from '@answer-evidence/contracts';
import { formatFingerprint } from '@answer-evidence/note';
import { type Pack, type PackBundle, readPack } from '@answer-evidence/verify';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { element, table } from '../page/elements.ts';
import { addFiles, addLog, type Given, listChosen, type Taken } from '../page/given-files.ts';
import { showPack } from '../page/show-pack.ts';
import { showVerification } from '../page/show-verification.ts';
import { judgePack, type Means, verifyShown } from '../page/verify-given.ts';
import { readTrust } from '../read-input.ts';
import { drawQrCode } from './draw-qr-code.ts';
import { member } from './members.ts';
import { stateInWords } from './state-in-words.ts';

/** What these find depends on which keys are believed. */
const BY_KEYS: ReadonlySet<CheckName> = new Set<CheckName>([
  'checkpoint_signature',
  'receipt',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
]);
const BY_OWN_KEYS = 'Only by the keys that this file brought: compare their fingerprints, or give your own trust file.';

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

let given: Given = { evidence: [] };
/** Files that come while records are verified: only the newest result is shown. */
let round = 0;

function begin(pack: Pack): void {
  const [picked, folder] = [byId('files'), byId('folder')] as [HTMLInputElement, HTMLInputElement];
  picked.addEventListener('change', () => void take(pack, (before) => addFiles(before, [...(picked.files ?? [])])));
  folder.addEventListener(
    'change',
    () => void take(pack, (before) => addLog(before, listChosen([...(folder.files ?? [])]))),
  );
  void verifyAll(pack);
}

async function take(pack: Pack, add: (before: Given) => Taken | Promise<Taken>): Promise<void> {
  const taken = await add(given);
  // The bundles are those of the pack: this page is no place to verify others.
  const isOfPack = (kind: string) => kind === 'receipt' || kind === 'response';
  const evidence = taken.given.evidence.filter(({ is }) => isOfPack(is.kind));
  const others = taken.given.evidence.filter(({ is }) => !isOfPack(is.kind));
  given = { ...taken.given, evidence };
  const refused = others.map(({ name }) => `${name} is not used: this page verifies its own records alone.`);
  byId('messages').replaceChildren(...[...taken.refused, ...refused].map(showFault));
  await verifyAll(pack);
}

async function verifyAll(pack: Pack): Promise<void> {
  const mine = ++round;
  const result = byId('result');
  document.body.dataset['state'] = 'verifying';
  byId('keys').replaceChildren(...showKeys(pack));
  result.replaceChildren();
  const means = readMeans(pack);
  byId('made').replaceChildren(...showPack(pack, await judgePack(pack, given, means)));
  for (const [n, bundle] of pack.bundles.entries()) {
    byId('progress').textContent = `Verifying record ${n + 1} of ${pack.bundles.length}…`;
    const shown = await showRecord(pack, bundle, n, means);
    if (mine !== round) return;
    result.append(shown);
  }
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

async function showRecord(pack: Pack, bundle: PackBundle, n: number, means: Means): Promise<HTMLElement> {
  const heading = element('h2', {}, `Record ${n + 1} of ${pack.bundles.length}`);
  const attributes = { id: `record-${n + 1}`, className: 'record' };
  if ('fault' in bundle)
    return element('section', attributes, heading, showFault(`FAIL: ${bundle.name}: ${bundle.fault}.`));
  const { name, text } = bundle;
  const save = element('button', { type: 'button' }, 'Save the bundle of this record');
  save.addEventListener('click', () => saveAs(`${name}.json`, text));
  const tools = element('p', { className: 'tools' }, save);
  const receipts = given.evidence.flatMap(({ is }) => (is.kind === 'receipt' ? [is.receipt] : []));
  try {
    const value: unknown = JSON.parse(text);
    const receipt = pack.bundles.length === 1 ? receipts[0] : undefined;
    const verification = await verifyShown(text, means, receipt);
    const checks = verification.checks.map((check) =>
      given.trust === undefined && check.outcome === 'PASS' && BY_KEYS.has(check.check)
        ? { ...check, detail: `${check.detail}. ${BY_OWN_KEYS}` }
        : check,
    );
    return element(
      'section',
      attributes,
      heading,
      tools,
      element('h3', {}, 'What this file states, in plain words'),
      ...stateInWords(value).map((sentence) => element('p', {}, sentence)),
      ...showCheckpoint(value),
      ...showVerification({ ...verification, checks }, value),
    );
  } catch (error) {
    return element('section', attributes, heading, tools, showFault(say(error)));
  }
}

/** The checkpoint's name, size and hash, to compare with another copy on paper or by a camera. */
function showCheckpoint(bundle: unknown): readonly Node[] {
  const note = member(bundle, 'checkpoint');
  if (typeof note !== 'string') return [];
  const hash = note.split('\n').slice(0, 3).join('\n');
  // More is not a checkpoint of any log, and would not fit into a code.
  if (hash.length > 1_000) return [];
  return [
    element(
      'figure',
      { className: 'checkpoint' },
      drawQrCode(hash, 'QR code of the checkpoint'),
      element(
        'figcaption',
        {},
        'Checkpoint: the log, its size and its hash. The code holds these three lines.',
        element('code', {}, hash),
      ),
    ),
  ];
}

function showKeys(pack: Pack): readonly Node[] {
  const own = given.trust;
  try {
    const rows = readTrust(own?.bytes ?? pack.trust ?? '').logs.flatMap(({ origin, keys }) =>
      keys.map(({ vkey }) => [origin, formatFingerprint(vkey)]),
    );
    return [
      element('h2', {}, own === undefined ? 'Keys that this file brought' : `Keys of your trust file ${own.name}`),
      element(
        'p',
        { className: own === undefined ? 'fault' : '' },
        own === undefined
          ? 'They prove nothing by themselves: anyone can make a log, sign it and bring its keys along. Compare each ' +
              'fingerprint with its owner by telephone or on paper, or give this page your own trust file.'
          : 'All checks below were made with these keys.',
      ),
      table(['Log', 'Fingerprint (SHA-256 of the key)'], rows),
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
  if (error instanceof EvidenceFormatError) return `Nothing was verified: ${error.message}.`;
  return `Nothing was verified: ${error instanceof Error ? error.message : 'this browser met a fault'}.`;
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
