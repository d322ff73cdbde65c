/** The reader's own region where it speaks the language of the page; for English, days before months otherwise. */
export function regionOf(language: string): string {
  const own = navigator.languages.find((tag) => tag.split('-')[0] === language);
  return own === undefined || own === 'en' ? (language === 'en' ? 'en-GB' : language) : own;
}
