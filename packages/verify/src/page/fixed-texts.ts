import { chooseLanguage, WORD_LANGUAGES, type WordLanguage } from '@answer-evidence/verify';

/** The German of what the pages have in English in their HTML, by its `data-word`. */
const GERMAN: ReadonlyMap<string, string> = new Map([
  ['language', 'Sprache'],
  ['verify-title', 'Antwortbelege prüfen'],
  [
    'verify-intro',
    'Geben Sie dieser Seite die Belege, die Sie erhalten haben (Beweispakete, Beweisdateien, Quittungen mit ihren ' +
      'Einträgen, Beweise von Abgleichen), und die Vertrauensdatei mit den Schlüsseln, denen Sie vertrauen. Die Seite ' +
      'rechnet jede Aussage nach. Nichts verlässt dieses Gerät: Die Seite verbietet sich jede Verbindung und geht auch ' +
      'ohne Netz.',
  ],
  ['verify-files', 'Belege und Vertrauensdatei: hier ablegen oder auswählen'],
  [
    'verify-log',
    'Kopie des Logs, allein oder um zu sehen, ob ein späteres Ereignis fehlt (freiwillig; auch ein Ordner lässt sich ' +
      'ablegen)',
  ],
  [
    'verify-source',
    'Dieser Seite ist nur so weit zu trauen wie dem, von dem Sie sie haben: Vergleichen Sie ihr SHA-256 mit dem ' +
      'veröffentlichten, oder nehmen Sie ein anderes Prüfprogramm.',
  ],
  ['pack-title', 'Beweisdatei'],
  [
    'pack-intro',
    'Diese Datei prüft sich selbst in Ihrem Browser. Sie rechnet jede Aussage ihrer Beweispakete nach, öffnet keine ' +
      'Verbindung und geht auch ohne Netz. Gemacht hat sie der, dessen Aussagen sie prüft: Wollen Sie sich in nichts ' +
      'auf ihn verlassen, so nehmen Sie die Beweispakete heraus und geben Sie sie einem anderen Prüfprogramm.',
  ],
  ['pack-files', 'Ihre eigene Vertrauensdatei, eine aufbewahrte Quittung und der Eintrag des Logs zu dieser Datei'],
  [
    'pack-log',
    'Kopie des Logs, um zu sehen, ob ein späteres Ereignis fehlt oder die Datei älter ist, als sie sagt (freiwillig)',
  ],
  [
    'pack-form',
    'Die Beweispakete stehen in dieser Datei als script-Elemente des Typs application/json mit den ids bundle-1, ' +
      'bundle-2 und so weiter.',
  ],
  ['proof-title', 'Aufzeichnung einer Antwort'],
  ['proof-form', 'Diese Seite setzt kein Cookie, fragt niemanden außer diesem Host und prüft in Ihrem Browser.'],
  ['pack-licences', 'Lizenzen des Codes in dieser Datei'],
]);

/** Lets the reader choose the language of the page; the first is that of the browser. Returns it. */
export function openLanguageChoice(
  select: HTMLSelectElement,
  onChange: (language: WordLanguage) => void,
): WordLanguage {
  const first = chooseLanguage(navigator.languages);
  for (const language of WORD_LANGUAGES) {
    const option = document.createElement('option');
    option.value = language;
    option.lang = language;
    option.textContent = language === 'de' ? 'Deutsch' : 'English';
    select.append(option);
  }
  select.value = first;
  translate(first);
  select.addEventListener('change', () => {
    const chosen = chooseLanguage([select.value]);
    translate(chosen);
    onChange(chosen);
  });
  return first;
}

function translate(language: WordLanguage): void {
  document.documentElement.lang = language;
  for (const found of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const english = (found.dataset['en'] ??= found.textContent);
    found.textContent = language === 'de' ? (GERMAN.get(found.dataset['word'] ?? '') ?? english) : english;
  }
}
