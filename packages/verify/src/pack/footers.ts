import type { PackRecord } from './pack-record.ts';

/**
 * Gives the printed pages of each record its id and the number of the page at the bottom. Rules are added to the style
 * of the page, which its policy permits; an id that could be anything else is not among them.
 */
export function addFooters(records: readonly PackRecord[]): void {
  const [style] = document.styleSheets;
  if (style === undefined) return;
  for (const { number, id } of records) {
    if (id === undefined) continue;
    style.insertRule(`@page record-${number} { @bottom-left { content: "${id}"; font: 8pt monospace; } }`);
    style.insertRule(`@media print { #record-${number} { page: record-${number}; } }`, style.cssRules.length);
  }
}
