/** The text of a witness's name, key or address as one word: more would be another word of the policy. */
export function asWord(text: string): string {
  return text.replace(/\s+/g, '');
}
