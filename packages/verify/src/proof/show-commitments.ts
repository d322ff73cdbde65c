import { verifySignature } from '@answer-evidence/client';
import { commitPlain, hashCore } from '@answer-evidence/commitments';
import { type EntryType, ledgerEntry, type ProvenCommitment, type TrustFile } from '@answer-evidence/contracts';
import { memberOf } from '@answer-evidence/encoding';
import { verifyGivenReceipt, type WordLanguage } from '@answer-evidence/verify';
import { showChecks } from '../page/check-table.ts';
import { element, table } from '../page/elements.ts';
import { nameEvent } from '../page/name-event.ts';
import { PAGE_WORDS } from '../page/page-words.ts';
import { formatTime, showPlain } from '../page/plain-text.ts';
import { PROOF_WORDS, type ProofWords } from './proof-words.ts';

/** A record of which only commitments are shown: its facts, its leaves, and whether a text of the reader is in it. */
export async function showCommitments(
  commitments: readonly ProvenCommitment[],
  trust: TrustFile,
  language: WordLanguage,
): Promise<readonly Node[]> {
  const [words, labels] = [PROOF_WORDS[language], PAGE_WORDS[language]];
  const [record] = commitments;
  const rows = [
    [words.application, textOf(memberOf(record?.core, 'application_key'))],
    [words.recorded, record === undefined ? labels.unknown : formatTime(timeOf(record.entry), language)],
    [words.questionHash, textOf(memberOf(memberOf(record?.core, 'question'), 'hash'))],
    [words.answerHash, textOf(memberOf(memberOf(record?.core, 'answer'), 'hash'))],
  ];
  const details = element('details', {}, element('summary', {}, words.technical));
  let isFaulty = false;
  for (const { entry, core, proof } of commitments) {
    const type = memberOf(core, 'event_type');
    const isSame = isOfEntry(entry, core);
    const checks = await verifyGivenReceipt(proof, entry, trust, verifySignature);
    isFaulty ||= !isSame || checks.some(({ outcome }) => outcome !== 'PASS');
    details.append(
      element('h3', {}, nameEvent(typeof type === 'string' ? type : 'answer_recorded', language)),
      isSame ? element('p', {}, words.core) : element('p', { className: 'fault', role: 'alert' }, words.differs),
      showChecks(checks, language),
    );
  }
  if (commitments.length === 0) isFaulty = true;
  details.open = isFaulty;
  const verdict = isFaulty ? words.fails : words.holds;
  return [
    element('p', isFaulty ? { className: 'fault', role: 'alert' } : {}, verdict),
    table([labels.what, labels.value], rows),
    ...showComparison(commitments, words),
    details,
  ];
}

function isOfEntry(text: string, core: ProvenCommitment['core']): boolean {
  const entry = readEntry(text);
  return entry !== undefined && hashOf(entry.type, core) === entry.hash;
}

function hashOf(type: EntryType, core: ProvenCommitment['core']): string | undefined {
  try {
    return hashCore(type, core);
  } catch {
    return undefined;
  }
}

function readEntry(text: string) {
  try {
    return ledgerEntry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function timeOf(entry: string): string {
  return readEntry(entry)?.at ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? showPlain(value) : '–';
}

/** A field for a text, which is compared with every plain commitment as soon as the reader asks. */
function showComparison(commitments: readonly ProvenCommitment[], words: ProofWords): readonly Node[] {
  const hashes = commitments.flatMap(({ core }) =>
    (
      [
        ['isQuestion', memberOf(memberOf(core, 'question'), 'hash')],
        ['isAnswer', memberOf(memberOf(core, 'answer'), 'hash')],
        ['isCorrection', memberOf(memberOf(core, 'corrected_answer'), 'hash')],
      ] as const
    ).flatMap(([is, hash]) => (typeof hash === 'string' ? [{ is, hash }] : [])),
  );
  if (hashes.every(({ hash }) => hash.startsWith('hmac-'))) return [element('p', {}, words.keyed)];
  const field = element('textarea', { id: 'own-text' });
  field.setAttribute('aria-label', words.compareSay);
  const result = element('p', { role: 'status' });
  const button = element('button', { type: 'button' }, words.compare);
  button.addEventListener('click', () => {
    const own = commitPlain(field.value);
    result.textContent = words[hashes.find(({ hash }) => hash === own)?.is ?? 'isNone'];
  });
  return [
    element(
      'section',
      { className: 'compare' },
      element('h3', {}, words.compareTitle),
      element('p', {}, words.compareSay),
      field,
      element('p', {}, button),
      result,
    ),
  ];
}
