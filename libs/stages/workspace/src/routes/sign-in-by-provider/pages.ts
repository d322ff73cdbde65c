import type { ProviderLink } from '@answer-evidence/contracts';

/** Why nobody is signed in. */
export type Refusal = 'attempt' | 'provider' | 'name' | 'member' | 'unavailable';

type Texts = Readonly<Record<Refusal | 'title' | 'refused' | 'again' | 'done' | 'open' | 'link' | 'subject', string>>;

const EN: Texts = {
  title: 'Sign in',
  refused: 'You are not signed in',
  attempt: 'This sign-in was not begun in this browser, or more than ten minutes ago.',
  provider: 'Your identity provider did not confirm this sign-in, or it was used before.',
  member:
    'Your identity provider confirmed who you are, but no active member of the workspace with a password has that ' +
    'name. Ask a manager of the workspace to add you, then set your password once with the link you get.',
  name: 'Your identity provider confirmed who you are, but its response names no member of the workspace.',
  link: 'If you are a member, a manager can link you. Send them this, by a way on which they know you:',
  subject: 'Subject',
  unavailable: 'The identity provider is unavailable. Try again in a moment, or sign in with a password.',
  again: 'To the sign-in page',
  done: 'You are signed in',
  open: 'Open the console',
};

const DE: Texts = {
  title: 'Anmelden',
  refused: 'Sie sind nicht angemeldet',
  attempt: 'Diese Anmeldung wurde nicht in diesem Browser begonnen, oder vor mehr als zehn Minuten.',
  provider: 'Ihr Identitätsanbieter hat diese Anmeldung nicht bestätigt, oder sie wurde schon benutzt.',
  member:
    'Ihr Identitätsanbieter hat bestätigt, wer Sie sind, aber kein aktives Mitglied des Arbeitsbereichs mit einem ' +
    'Passwort hat diesen Namen. Bitten Sie eine verwaltende Person, Sie aufzunehmen, und setzen Sie dann einmal Ihr ' +
    'Passwort mit dem Link, den Sie bekommen.',
  name: 'Ihr Identitätsanbieter hat bestätigt, wer Sie sind, aber seine Antwort nennt kein Mitglied des Arbeitsbereichs.',
  link:
    'Wenn Sie Mitglied sind, kann eine verwaltende Person Sie verknüpfen. Schicken Sie ihr dies, auf einem Weg, auf dem ' +
    'sie Sie kennt:',
  subject: 'Kennung (Subject)',
  unavailable:
    'Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es gleich noch einmal, oder melden Sie sich mit einem ' +
    'Passwort an.',
  again: 'Zur Anmeldung',
  done: 'Sie sind angemeldet',
  open: 'Konsole öffnen',
};

/**
 * Says why nobody is signed in. Nothing of the request is in it; of what the provider signed, only who the person is
 * there, if that is given.
 */
export function refusalPage(why: Refusal, languages: string | undefined, identity?: ProviderLink): string {
  const texts = textsFor(languages);
  const shown =
    identity === undefined
      ? ''
      : `<p>${texts.link}</p><p>${texts.subject}: <code>${escape(identity.subject)}</code><br>` +
        `Issuer: <code>${escape(identity.issuer)}</code></p>`;
  const again = `<p><a href="../">${texts.again}</a></p>`;
  return page(texts, '', `<h1>${texts.refused}</h1><p>${texts[why]}</p>${shown}${again}`);
}

/** Leads on to a page of the console by itself. */
export function leadOnPage(path: string, languages: string | undefined): string {
  const texts = textsFor(languages);
  const href = escape(path);
  const refresh = `<meta http-equiv="refresh" content="0; url=${href}">`;
  return page(texts, refresh, `<h1>${texts.done}</h1><p><a href="${href}">${texts.open}</a></p>`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function textsFor(languages: string | undefined): Texts {
  return /^\s*de\b/i.test(languages ?? '') ? DE : EN;
}

function page(texts: Texts, head: string, body: string): string {
  const lang = texts === DE ? 'de' : 'en';
  return (
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title>${head}</head>` +
    `<body><main>${body}</main></body></html>\n`
  );
}
