import type { MailTerms, NotificationBody } from '@answer-evidence/contracts';
import type { Mail } from '@answer-evidence/ports';
import { FACT_WORDS, MAIL_WORDS, TYPE_WORDS } from './mail-words.ts';
import { shownLine } from './shown-line.ts';

/** Notifications that a digest shows one by one. */
const SHOWN_MAX = 50;

/** Where a mail goes, and what surrounds it. */
export type Addressee = {
  readonly to: string;
  readonly language: MailTerms['language'];
  /** Short name of the workspace. */
  readonly workspace: string;
  /** Address of the console, without a slash at its end. */
  readonly consoleUrl: string;
  readonly targetId: string;
  /** Whether they are a member's own notifications. */
  readonly isOwn: boolean;
};

/** One notification or a digest of several, with links and without any text of an answer. */
export function composeMail(id: string, bodies: readonly NotificationBody[], addressee: Addressee): Mail {
  const { language, workspace, consoleUrl, to, isOwn } = addressee;
  const words = MAIL_WORDS[language];
  const [first] = bodies;
  const title =
    bodies.length === 1 && first !== undefined ? TYPE_WORDS[first.type][language] : `${bodies.length} ${words['many']}`;
  const counts = bodies.length === 1 ? [] : countsOf(bodies, language);
  const shown = bodies.slice(0, SHOWN_MAX).map((body) => describe(body, language, consoleUrl));
  const rest = bodies.length - shown.length;
  const unsubscribeUrl = pageOf(addressee);
  const blocks = [
    ...(counts.length === 0 ? [] : [counts]),
    ...shown,
    ...(rest === 0 ? [] : [[`+ ${rest} ${words['more']}`]]),
    [words[isOwn ? 'whyOwn' : 'why'] ?? '', unsubscribeUrl],
  ];
  return { id, to, subject: `[${shownLine(workspace)}] ${title}`, ...format(blocks, consoleUrl), unsubscribeUrl };
}

/** The code that an address is confirmed by. */
export function composeCode(id: string, code: string, addressee: Addressee): Mail {
  const { language, workspace, consoleUrl, to } = addressee;
  const words = MAIL_WORDS[language];
  const blocks = [[words['code'] ?? '', code], [words['ignore'] ?? '']];
  return {
    id,
    to,
    subject: `[${shownLine(workspace)}] ${words['confirm']}`,
    ...format(blocks, consoleUrl),
    unsubscribeUrl: pageOf(addressee),
  };
}

/** The page of the console that ends these mails. */
function pageOf({ consoleUrl, targetId, isOwn }: Addressee): string {
  return isOwn ? `${consoleUrl}/my-notifications` : `${consoleUrl}/notifications?target=${targetId}`;
}

function countsOf(bodies: readonly NotificationBody[], language: Addressee['language']): readonly string[] {
  const counts = new Map<string, number>();
  for (const { type } of bodies) {
    const word = TYPE_WORDS[type][language];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} × ${word}`);
}

function describe(
  { type, timestamp, data }: NotificationBody,
  language: Addressee['language'],
  consoleUrl: string,
): readonly string[] {
  const facts = Object.entries(FACT_WORDS).flatMap(([member, words]) => {
    const value = data.about[member];
    return typeof value === 'string' || typeof value === 'number'
      ? [`${words[language]}: ${shownLine(String(value))}`]
      : [];
  });
  return [
    TYPE_WORDS[type][language],
    ...(type === 'test' ? [MAIL_WORDS[language]['test'] ?? ''] : []),
    ...(facts.length === 0 ? [] : [facts.join(', ')]),
    `${timestamp.slice(0, 19).replace('T', ' ')} UTC`,
    `${consoleUrl}${data.place}`,
  ];
}

/** Blocks of lines, as text and as HTML; a line that is an address of the console becomes a link. */
function format(blocks: readonly (readonly string[])[], consoleUrl: string): Pick<Mail, 'text' | 'html'> {
  const toHtml = (line: string): string =>
    line.startsWith(`${consoleUrl}/`) ? `<a href="${escape(line)}">${escape(line)}</a>` : escape(line);
  const paragraphs = blocks.map((lines) => `<p>${lines.map(toHtml).join('<br>\n')}</p>`);
  return {
    text: `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`,
    html: `<!doctype html>\n<html><body>\n${paragraphs.join('\n')}\n</body></html>\n`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
