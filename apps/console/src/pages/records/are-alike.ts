import { diffWordsWithSpace } from 'diff';

/** Share of the longer text that both must have in common for a comparison to help. */
const ALIKE = 0.4;
/** Long texts without a common word would keep the page busy. */
const TIME_MAX_MS = 500;

/** Whether two texts have enough in common to be compared word by word. */
export function areAlike(before: string, after: string): boolean {
  const changes = diffWordsWithSpace(before, after, { timeout: TIME_MAX_MS });
  if (changes === undefined) return false;
  const kept = changes.reduce((sum, { value, added, removed }) => (added || removed ? sum : sum + bare(value)), 0);
  const longer = Math.max(bare(before), bare(after));
  return longer === 0 || kept / longer >= ALIKE;
}

/** Length without what separates words, which any two texts have in common. */
function bare(text: string): number {
  return text.replace(/\s/g, '').length;
}
