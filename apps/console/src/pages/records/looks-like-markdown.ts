const HEADING = /^#{1,6} \S/;
const ITEM = /^(?:[-*+]|\d{1,3}\.) \S/;
const FENCE = /^(?:```|~~~)/;
/** The line below the head of a table. */
const RULE = /^\|(?:[ :|-]){3,}$/;

/** Whether a text is laid out as Markdown: it has a heading, a table, a fence, or a list of two items. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split('\n');
  if (lines.some((line) => HEADING.test(line) || FENCE.test(line) || RULE.test(line.trim()))) return true;
  return lines.filter((line) => ITEM.test(line)).length > 1;
}
