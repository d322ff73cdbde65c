import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The languages of the console: what each calls itself, and its catalogue beside this file. */
const CATALOGUES = {
  en: { name: 'English', open: () => import('./en.json') },
  de: { name: 'Deutsch', open: () => import('./de.json') },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly open: () => Promise<{ readonly default: object }> }>
>;
type Language = keyof typeof CATALOGUES;

/** The tag of each language. */
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

const KEPT_AS = 'answer-evidence.language';

/** What a language calls itself. */
export function nameLanguage(language: Language): string {
  return CATALOGUES[language].name;
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
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, language);
  await changeLanguage(language);
}

async function changeLanguage(language: Language): Promise<void> {
  const { default: catalogue } = await CATALOGUES[language].open();
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
