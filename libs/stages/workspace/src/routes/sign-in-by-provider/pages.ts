import type { ProviderLink } from '@answer-evidence/contracts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };

/** Why nobody is signed in. */
export type Refusal = 'attempt' | 'provider' | 'name' | 'member' | 'groups' | 'left' | 'unavailable';

type Texts = Readonly<Record<Refusal | 'title' | 'refused' | 'again' | 'done' | 'open' | 'link' | 'subject', string>>;

/** The catalogue of each file in `texts/`. One that misses a text does not compile. */
const CATALOGUES: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ['en', en],
  ['de', de],
]);

/**
 * Says why nobody is signed in. Nothing of the request is in it; of what the provider signed, only who the person is
 * there, if that is given.
 */
export function refusalPage(why: Refusal, languages: string | undefined, identity?: ProviderLink): string {
  const lang = languageOf(languages);
  const texts = CATALOGUES.get(lang) ?? en;
  const shown =
    identity === undefined
      ? ''
      : `<p>${texts.link}</p><p>${texts.subject}: <code>${escape(identity.subject)}</code><br>` +
        `Issuer: <code>${escape(identity.issuer)}</code></p>`;
  const again = `<p><a href="../">${texts.again}</a></p>`;
  return page(lang, texts, '', `<h1>${texts.refused}</h1><p>${texts[why]}</p>${shown}${again}`);
}

/** Leads on to a page of the console by itself. */
export function leadOnPage(path: string, languages: string | undefined): string {
  const lang = languageOf(languages);
  const texts = CATALOGUES.get(lang) ?? en;
  const href = escape(path);
  const refresh = `<meta http-equiv="refresh" content="0; url=${href}">`;
  return page(lang, texts, refresh, `<h1>${texts.done}</h1><p><a href="${href}">${texts.open}</a></p>`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The first language of `Accept-Language` that has a catalogue. */
function languageOf(accepted = ''): string {
  const tags = accepted.split(',').map((tag) => /^\s*(\w+)/.exec(tag)?.[1]?.toLowerCase() ?? '');
  return tags.find((tag) => CATALOGUES.has(tag)) ?? 'en';
}

function page(lang: string, texts: Texts, head: string, body: string): string {
  return (
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title>${head}</head>` +
    `<body><main>${body}</main></body></html>\n`
  );
}
