import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the table of what was tried is. */
export const PAGE = fileURLToPath(new URL('../../docs/security/attacks.md', import.meta.url));

/** The rows of the page in their order, by kind and name of their attacks. */
export async function readRows(): Promise<Map<string, string>> {
  const [, rest = ''] = (await readFile(PAGE, 'utf8')).split('<!-- attacks: begin -->');
  const [table = ''] = rest.split('<!-- attacks: end -->');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return new Map(
    lines.slice(2).map((line) => {
      const [, kind = '', name = ''] = line.split('|').map((cell) => cell.trim());
      return [`${kind}: ${name}`, line];
    }),
  );
}
