import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The languages of the console, each with its catalogue beside this file. */
export const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

const KEPT_AS = 'answer-evidence.language';
const CATALOGUES: Readonly<Record<Language, () => Promise<{ readonly default: object }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
};

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
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, language);
  await changeLanguage(language);
}

async function changeLanguage(language: Language): Promise<void> {
  const { default: catalogue } = await CATALOGUES[language]();
  i18next.addResourceBundle(language, 'translation', catalogue);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function findLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'en';
}
