import { readFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';

const SETTINGS = new URL('../../.oxfmtrc.json', import.meta.url);

/**
 * The text of a file as `npm run format` lays it out; the name of the file says which language it is in. One that the
 * formatter does not know stays as it is.
 */
export async function layOut(file: string, text: string): Promise<string> {
  const settings = JSON.parse(await readFile(SETTINGS, 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, settings);
  if (errors[0]?.message.startsWith('Unsupported file type') === true) return text;
  if (errors.length > 0) throw new Error(`${file} cannot be laid out: ${errors[0]?.message}`);
  return code;
}
