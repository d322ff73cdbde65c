import { formatFingerprint } from '@answer-evidence/note';
import {
  chooseReceipts,
  type ChosenReceipts,
  describeWeakerPolicies,
  isReceiptOfBundle,
} from '@answer-evidence/verify';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { readJson, readTrust } from '../read-input.ts';
import { showChecks } from './check-table.ts';
import { element, table } from './elements.ts';
import { addFiles, addLog, type Given, listChosen, listDropped, type Taken } from './given-files.ts';
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
  given = taken.given;
  showGiven(taken.refused);
  result.replaceChildren(element('p', { role: 'status' }, 'Verifying…'));
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
    shown.push(element('h2', {}, name), ...showPack(pack, await judgePack(pack, now, means, bytes)));
    for (const bundle of pack.bundles) {
      if ('text' in bundle) shown.push(...(await showBundle(`${name} ${bundle.name}`, bundle.text, means, receipts)));
      else shown.push(showFile(`${name} ${bundle.name}`), showFault(`FAIL: ${bundle.fault}.`));
    }
  }
  for (const { name, bytes, is } of now.evidence) {
    if (is.kind !== 'run') continue;
    shown.push(element('h2', {}, name));
    shown.push(await judgeRun(bytes, means).then(showChecks, (error: unknown) => showFault(describeError(error))));
  }
  for (const { title, checks } of await judgeReceipts(now, means, receipts.used))
    shown.push(element('h2', {}, title), showChecks(checks));
  for (const { title, checks } of await judgeCheckpoints(now, means))
    shown.push(element('h2', {}, title), showChecks(checks));
  const log = bundles.length > 0 ? undefined : await judgeLog(means);
  if (log !== undefined) shown.push(element('h2', {}, now.log?.name ?? 'Log'), showChecks(log.checks));
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
      ...notices.map((text) => element('p', { className: 'fault' }, `Note: ${text}.`)),
      ...showVerification(verification, value),
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
  if (error instanceof EvidenceFormatError) return `Nothing was verified: ${error.message}.`;
  return `Nothing was verified: ${error instanceof Error ? error.message : 'this browser met a fault'}.`;
}

function showGiven(refused: readonly string[]): void {
  const names: readonly (readonly [string, string | undefined])[] = [
    ...given.evidence.map(({ name, is }) => [KIND_NAMES[is.kind], name] as const),
    ...(given.evidence.length === 0 ? [['Evidence', undefined] as const] : []),
    ['Trust file', given.trust?.name ?? NO_TRUST_FILE],
    ['Copy of the log (optional)', given.log?.name],
  ];
  shownFiles.replaceChildren(
    table(
      ['File', 'Given'],
      names.map(([what, name]) => [what, name ?? '–']),
    ),
  );
  messages.replaceChildren(...refused.map(showFault));
  keys.replaceChildren(...showKeys());
}

const NO_TRUST_FILE = '– (without one, who signed the evidence is not verified)';
const KIND_NAMES: Readonly<Record<Given['evidence'][number]['is']['kind'], string>> = {
  bundle: 'Proof bundle',
  pack: 'Evidence pack',
  run: 'Proof of a reconciliation',
  receipt: 'Receipt',
  checkpoint: 'Checkpoint',
  entry: 'Entry of the log',
  response: 'Entry with its receipt',
  trust: 'Trust file',
  other: 'Other file',
};

function showKeys(): readonly Node[] {
  if (given.trust === undefined) return [];
  try {
    const rows = readTrust(given.trust.bytes).logs.flatMap(({ origin, keys: logKeys }) =>
      logKeys.map(({ vkey }) => [origin, formatFingerprint(vkey)]),
    );
    return [
      element('h2', {}, 'Keys that you trust'),
      element('p', {}, 'Compare each fingerprint with its owner over another channel than this file came by.'),
      table(['Log', 'Fingerprint (SHA-256 of the key)'], rows),
    ];
  } catch (error) {
    return [element('p', { className: 'fault', role: 'alert' }, describeError(error))];
  }
}

showGiven([]);
