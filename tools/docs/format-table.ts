/** A Markdown table; a cell may hold any text of one line. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(formatCell).join(' | ')} |`).join('\n');
}

function formatCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
