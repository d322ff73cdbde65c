import './without-eval.ts';
import { type OpenedProof, trustFile } from '@answer-evidence/contracts';
import { formatFingerprint } from '@answer-evidence/note';
import type { WordLanguage } from '@answer-evidence/verify';
import { describeWhen } from '../pack/show-cover.ts';
import { element, table } from '../page/elements.ts';
import { openLanguageChoice } from '../page/fixed-texts.ts';
import { fill, PAGE_WORDS } from '../page/page-words.ts';
import { formatTime, showPlain } from '../page/plain-text.ts';
import { showVerification } from '../page/show-verification.ts';
import { verifyShown } from '../page/verify-given.ts';
import { type Opened, openProof } from './open-proof.ts';
import { PROOF_WORDS } from './proof-words.ts';
import { showCommitments } from './show-commitments.ts';

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

let language: WordLanguage = openLanguageChoice(byId('language') as HTMLSelectElement, (chosen) => {
  language = chosen;
  void show();
});
/** The link is opened once; the language may change afterwards. */
let opened: Promise<Opened> | undefined;
/** Of several results at once, only the newest is shown. */
let round = 0;

async function show(): Promise<void> {
  const mine = ++round;
  const place = byId('proof');
  document.body.dataset['state'] = 'opening';
  place.replaceChildren(element('p', {}, PROOF_WORDS[language].opening));
  opened ??= openProof(location.hash.slice(1));
  const result = await opened;
  const shown = await describe(result).catch(() => [say('unreadable')]);
  if (mine !== round) return;
  place.replaceChildren(...shown);
  document.body.dataset['state'] = result.kind;
}

async function describe(result: Opened): Promise<readonly Node[]> {
  if (result.kind === 'ended') return [say(result.why)];
  const { proof } = result;
  const trust = trustFile.parse(proof.trust);
  const words = PROOF_WORDS[language];
  const until = { workspace: showPlain(proof.workspace), at: formatTime(proof.expires_at, language) };
  const intro = element('p', {}, fill(proof.bundle === null ? words.commitmentsBy : words.shownBy, until));
  if (proof.bundle === null)
    return [
      intro,
      element('h2', {}, describeWhen({ record: { ...proof.commitments?.[0], leaf_index: 0 } }, language)),
      ...(await showCommitments(proof.commitments ?? [], trust, language)),
      ...showKeys(proof, [[words.saveBundle, 'proof.json', proof]]),
    ];
  const verification = await verifyShown(JSON.stringify(proof.bundle), { trust, log: undefined }, undefined);
  return [
    intro,
    element('h2', {}, describeWhen(proof.bundle, language)),
    ...fold(showVerification(verification, proof.bundle, { language, isByOwnKeys: true }), words.technical),
    ...showKeys(proof, [
      [words.saveBundle, 'bundle.json', proof.bundle],
      [words.saveTrust, 'trust.json', proof.trust],
    ]),
  ];
}

/** The technical part behind a line that opens it: the person concerned came for the texts. */
function fold(shown: readonly Node[], title: string): readonly Node[] {
  return shown.map((node) =>
    node instanceof HTMLElement && node.classList.contains('technical')
      ? element('details', {}, element('summary', {}, title), node)
      : node,
  );
}

function say(why: keyof (typeof PROOF_WORDS)['en']): HTMLElement {
  return element('p', { className: 'ended', role: 'alert' }, PROOF_WORDS[language][why]);
}

function showKeys(
  { trust }: OpenedProof,
  files: readonly (readonly [label: string, name: string, content: unknown])[],
): readonly Node[] {
  const [words, labels] = [PROOF_WORDS[language], PAGE_WORDS[language]];
  const rows = trust.logs.flatMap(({ origin, keys }) => keys.map(({ vkey }) => [origin, formatFingerprint(vkey)]));
  const buttons = files.map(([label, name, content]) => {
    const button = element('button', { type: 'button' }, label);
    button.addEventListener('click', () => saveAs(name, JSON.stringify(content)));
    return button;
  });
  return [
    element('h3', {}, words.keys),
    element('p', {}, words.keysSay),
    table([labels.log, labels.fingerprint], rows),
    element('p', { className: 'tools' }, ...buttons),
  ];
}

function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

window.addEventListener('hashchange', () => {
  opened = undefined;
  void show();
});
void show();
