import { formatFingerprint } from '@answer-evidence/note';
import {
  chooseReceipts,
  type ChosenReceipts,
  describeWeakerPolicies,
  isReceiptOfBundle,
  sayDetail,
  type WordLanguage,
} from '@answer-evidence/verify';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { readJson, readTrust } from '../read-input.ts';
import { showChecks } from './check-table.ts';
import { element, table } from './elements.ts';
import { openLanguageChoice } from './fixed-texts.ts';
import { addFiles, addLog, type Given, listChosen, listDropped, type Taken } from './given-files.ts';
import { PAGE_WORDS } from './page-words.ts';
import { showPack } from './show-pack.ts';
import { showVerification } from './show-verification.ts';
import {
  judgeCheckpoints,
  judgeLog,
  judgePack,
  judgeReceipts,
  judgeRun,
  type Means,
  openTrees,
  verifyShown,
} from './verify-given.ts';

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};
const [drop, picked, folder] = ['drop', 'files', 'folder'].map(byId) as [
  HTMLElement,
  HTMLInputElement,
  HTMLInputElement,
];
const [shownFiles, messages, keys, result] = ['given', 'messages', 'keys', 'result'].map(byId) as [
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
];

let given: Given = { evidence: [] };
let refused: readonly string[] = [];
let language = openLanguageChoice(byId('language') as HTMLSelectElement, (chosen) => {
  language = chosen;
  void take((before) => ({ given: before, refused }));
});
/** Files that come while others are verified: only the newest result is shown. */
let round = 0;

picked.addEventListener('change', () => void take((before) => addFiles(before, [...(picked.files ?? [])])));
folder.addEventListener('change', () => void take((before) => addLog(before, listChosen([...(folder.files ?? [])]))));
drop.addEventListener('dragover', (event) => event.preventDefault());
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  const dropped = event.dataTransfer === null ? undefined : listDropped(event.dataTransfer);
  void take(async (before) => {
    const { files, folders } = (await dropped) ?? { files: [], folders: [] };
    const taken = await addFiles(before, files);
    if (folders.length === 0) return taken;
    const withLog = addLog(taken.given, folders);
    return { given: withLog.given, refused: [...taken.refused, ...withLog.refused] };
  });
});

async function take(add: (before: Given) => Taken | Promise<Taken>): Promise<void> {
  const mine = ++round;
  const taken = await add(given);
  ({ given, refused } = taken);
  showGiven();
  result.replaceChildren(element('p', { role: 'status' }, PAGE_WORDS[language].verifying));
  const shown = await verifyAll(given).catch((error: unknown) => [showFault(describeError(error))]);
  if (mine === round) result.replaceChildren(...shown);
}

async function verifyAll(now: Given): Promise<readonly Node[]> {
  if (now.evidence.length === 0 && now.log === undefined) return [];
  const trust = now.trust === undefined ? undefined : readTrust(now.trust.bytes);
  const given = openTrees(now, trust);
  const means: Means = { trust, log: now.log?.read, ...(given === undefined ? {} : { given }) };
  const bundles = now.evidence.filter(({ is }) => is.kind === 'bundle');
  const packs = now.evidence.flatMap(({ is, ...file }) => (is.kind === 'pack' ? [{ ...file, pack: is.pack }] : []));
  const kept = now.evidence.flatMap(({ name, is }) => (is.kind === 'receipt' ? [{ name, receipt: is.receipt }] : []));
  const counts = { bundles: bundles.length, packs: packs.length, receipts: kept.length };
  const receipts = chooseReceipts(kept, isReceiptOfBundle(counts));
  const shown: Node[] = [];
  for (const { name, bytes } of bundles) shown.push(...(await showBundle(name, bytes, means, receipts)));
  for (const { name, bytes, pack } of packs) {
    shown.push(element('h2', {}, name), ...showPack(pack, await judgePack(pack, now, means, bytes), language));
    for (const bundle of pack.bundles) {
      if ('text' in bundle) shown.push(...(await showBundle(`${name} ${bundle.name}`, bundle.text, means, receipts)));
      else shown.push(showFile(`${name} ${bundle.name}`), showFault(`FAIL: ${sayDetail(bundle.fault, language)}.`));
    }
  }
  for (const { name, bytes, is } of now.evidence) {
    if (is.kind !== 'run') continue;
    shown.push(element('h2', {}, name));
    shown.push(
      await judgeRun(bytes, means).then(
        (checks) => showChecks(checks, language),
        (error: unknown) => showFault(describeError(error)),
      ),
    );
  }
  for (const { title, checks } of await judgeReceipts(now, means, receipts.used))
    shown.push(element('h2', {}, title), showChecks(checks, language));
  for (const { title, checks } of await judgeCheckpoints(now, means))
    shown.push(element('h2', {}, title), showChecks(checks, language));
  const log = bundles.length > 0 ? undefined : await judgeLog(means);
  if (log !== undefined) shown.push(element('h2', {}, now.log?.name ?? 'Log'), showChecks(log.checks, language));
  return shown;
}

async function showBundle(
  name: string,
  bundle: string | Uint8Array,
  means: Means,
  receipts: ChosenReceipts,
): Promise<readonly Node[]> {
  const heading = showFile(name);
  try {
    const value = readJson('bundle', bundle);
    const verification = await verifyShown(bundle, means, receipts.findFor(value));
    const policy = { shown: (value as { readonly policy?: unknown }).policy };
    const notices = means.trust === undefined ? [] : describeWeakerPolicies(policy, means.trust);
    return [
      heading,
      ...notices.map((text) =>
        element('p', { className: 'fault' }, `${PAGE_WORDS[language].note}: ${sayDetail(text, language)}.`),
      ),
      ...showVerification(verification, value, { language }),
    ];
  } catch (error) {
    return [heading, showFault(describeError(error))];
  }
}

function showFile(name: string): HTMLElement {
  return element('h2', { className: 'file' }, name);
}

function showFault(text: string): HTMLElement {
  return element('p', { className: 'fault', role: 'alert' }, text);
}

function describeError(error: unknown): string {
  const { nothing, fault } = PAGE_WORDS[language];
  if (error instanceof EvidenceFormatError) return `${nothing}: ${sayDetail(error.message, language)}.`;
  return `${nothing}: ${error instanceof Error ? sayDetail(error.message, language) : fault}.`;
}

function showGiven(): void {
  const words = PAGE_WORDS[language];
  const names: readonly (readonly [string, string | undefined])[] = [
    ...given.evidence.map(({ name, is }) => [KIND_NAMES[language][is.kind], name] as const),
    ...(given.evidence.length === 0 ? [[words.evidence, undefined] as const] : []),
    [words.trustFile, given.trust?.name ?? words.noTrustFile],
    [words.logCopy, given.log?.name],
  ];
  shownFiles.replaceChildren(
    table(
      [words.file, words.given],
      names.map(([what, name]) => [what, name ?? '–']),
    ),
  );
  messages.replaceChildren(...refused.map((text) => showFault(sayDetail(text, language))), ...showMissing());
  keys.replaceChildren(...showKeys());
}

/** What the reader should still give. */
function showMissing(): readonly Node[] {
  const words = PAGE_WORDS[language];
  const hasEvidence = given.evidence.length > 0 || given.log !== undefined;
  if (hasEvidence && given.trust === undefined)
    return [element('p', { className: 'fault' }, element('strong', {}, words.aloneTitle), ` ${words.alone}`)];
  return hasEvidence || given.trust === undefined ? [] : [element('p', { className: 'fault' }, words.trustAlone)];
}

type Kind = Given['evidence'][number]['is']['kind'];
const KIND_NAMES: Readonly<Record<WordLanguage, Readonly<Record<Kind, string>>>> = {
  en: {
    bundle: 'Proof bundle',
    pack: 'Evidence pack',
    run: 'Proof of a reconciliation',
    receipt: 'Receipt',
    checkpoint: 'Checkpoint',
    entry: 'Entry of the log',
    response: 'Entry with its receipt',
    trust: 'Trust file',
    other: 'Other file',
  },
  de: {
    bundle: 'Beweispaket',
    pack: 'Beweisdatei',
    run: 'Beweis eines Abgleichs',
    receipt: 'Quittung',
    checkpoint: 'Prüfpunkt',
    entry: 'Eintrag des Logs',
    response: 'Eintrag mit seiner Quittung',
    trust: 'Vertrauensdatei',
    other: 'Andere Datei',
  },
};

function showKeys(): readonly Node[] {
  if (given.trust === undefined) return [];
  const words = PAGE_WORDS[language];
  try {
    const rows = readTrust(given.trust.bytes).logs.flatMap(({ origin, keys: logKeys }) =>
      logKeys.map(({ vkey }) => [origin, formatFingerprint(vkey)]),
    );
    return [
      element('h2', {}, words.keysTitle),
      element('p', {}, words.keysCompare),
      table([words.log, words.fingerprint], rows),
    ];
  } catch (error) {
    return [element('p', { className: 'fault', role: 'alert' }, describeError(error))];
  }
}

showGiven();
