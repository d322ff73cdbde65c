import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The catalogues beside this file, by their names: `./de.json`. */
const CATALOGUES = import.meta.glob<object>('./*.json', { import: 'default' });

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
  await changeLanguage(findLanguage([localStorage.getItem(KEPT_AS) ?? '', ...navigator.languages]));
}

/** Shows the console in another language, and remembers it in this browser. */
export async function chooseLanguage(language: string): Promise<void> {
  localStorage.setItem(KEPT_AS, language);
  await changeLanguage(language);
}

async function changeLanguage(language: string): Promise<void> {
  const catalogue = await CATALOGUES[`./${language}.json`]?.();
  i18next.addResourceBundle(language, 'translation', catalogue);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function findLanguage(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'en';
}
