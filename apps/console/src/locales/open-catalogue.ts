import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The catalogues beside this file, by their names: `./de.json`. */
const CATALOGUES = import.meta.glob<object>('./*.json', { import: 'default' });

/** What pages that are opened later have besides, by the same names. */
const LATER = import.meta.glob<object>('./*.json', { import: 'default', query: '?later' });

/** The tag of each language that has a catalogue, in the order of the tags. */
export const LANGUAGES: readonly string[] = Object.keys(CATALOGUES).map((file) =>
  file.slice('./'.length, -'.json'.length),
);

const KEPT_AS = 'answer-evidence.language';

/** What a language calls itself. */
export function nameLanguage(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Opens the catalogue that the reader chose before, or the first one that their browser asks for. */
export async function openCatalogue(): Promise<void> {
  await i18next.use(initReactI18next).init({
    fallbackLng: false,
    // React escapes every text.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await changeLanguage(wantedLanguage(), [CATALOGUES]);
}

/** Shows the console in another language, and remembers it in this browser. */
export async function chooseLanguage(language: string): Promise<void> {
  localStorage.setItem(KEPT_AS, language);
  await changeLanguage(language, [CATALOGUES, LATER]);
}

/** A page that shows texts which are loaded with it: it is there once they are, too. */
export async function withLaterTexts<Page>(page: Promise<Page>): Promise<Page> {
  const language = wantedLanguage();
  const [opened, texts] = await Promise.all([page, LATER[`./${language}.json`]?.(), untilInitialized()]);
  i18next.addResourceBundle(language, 'translation', texts);
  return opened;
}

function untilInitialized(): Promise<void> {
  return new Promise((resolve) => {
    if (i18next.isInitialized) resolve();
    else i18next.on('initialized', () => resolve());
  });
}

async function changeLanguage(language: string, catalogues: readonly (typeof CATALOGUES)[]): Promise<void> {
  await Promise.all(
    catalogues.map(async (catalogue) => {
      const texts = await catalogue[`./${language}.json`]?.();
      i18next.addResourceBundle(language, 'translation', texts);
    }),
  );
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** The language that the reader chose before, or the first one that their browser asks for. */
function wantedLanguage(): string {
  return findLanguage([localStorage.getItem(KEPT_AS) ?? '', ...navigator.languages]);
}

function findLanguage(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'en';
}
