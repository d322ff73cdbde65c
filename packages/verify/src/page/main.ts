import { parseJson } from '@answer-evidence/encoding';
import { formatFingerprint } from '@answer-evidence/note';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { readTrust } from '../read-input.ts';
import { verifyBundle } from '../verify-bundle.ts';
import { element, table } from './elements.ts';
import { addFiles, addLog, type Given } from './given-files.ts';
import { showVerification } from './show-verification.ts';

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

let given: Given = {};
/** Files that come while others are verified: only the newest result is shown. */
let round = 0;

picked.addEventListener('change', () => void take((before) => addFiles(before, [...(picked.files ?? [])])));
folder.addEventListener('change', () => void take((before) => addLog(before, [...(folder.files ?? [])])));
drop.addEventListener('dragover', (event) => event.preventDefault());
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  void take((before) => addFiles(before, [...(event.dataTransfer?.files ?? [])]));
});

type Taken = Awaited<ReturnType<typeof addFiles>>;

async function take(add: (before: Given) => Taken | Promise<Taken>): Promise<void> {
  const mine = ++round;
  const taken = await add(given);
  given = taken.given;
  showGiven(taken.refused);
  result.replaceChildren();
  const { bundle, trust, receipt, log } = given;
  if (bundle === undefined || trust === undefined) return;
  result.replaceChildren(element('p', { role: 'status' }, 'Verifying…'));
  try {
    const options = {
      ...(receipt === undefined ? {} : { receipt: new TextDecoder().decode(receipt.bytes) }),
      ...(log === undefined ? {} : { log: log.read }),
    };
    const verification = await verifyBundle(bundle.bytes, trust.bytes, options);
    if (mine === round) result.replaceChildren(...showVerification(verification, parseJson(bundle.bytes)));
  } catch (error) {
    if (mine === round)
      result.replaceChildren(element('p', { className: 'fault', role: 'alert' }, describeError(error)));
  }
}

function describeError(error: unknown): string {
  if (error instanceof EvidenceFormatError) return `Nothing was verified: ${error.message}.`;
  return `Nothing was verified: ${error instanceof Error ? error.message : 'this browser met a fault'}.`;
}

function showGiven(refused: readonly string[]): void {
  const names: readonly (readonly [string, string | undefined])[] = [
    ['Proof bundle', given.bundle?.name],
    ['Trust file', given.trust?.name],
    ['Receipt (optional)', given.receipt?.name],
    ['Copy of the log (optional)', given.log?.name],
  ];
  shownFiles.replaceChildren(
    table(
      ['File', 'Given'],
      names.map(([what, name]) => [what, name ?? '–']),
    ),
  );
  messages.replaceChildren(...refused.map((text) => element('p', { className: 'fault', role: 'alert' }, text)));
  keys.replaceChildren(...showKeys());
}

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
