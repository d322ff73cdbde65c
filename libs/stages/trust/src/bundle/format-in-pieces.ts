import { utf8 } from '@answer-evidence/encoding';
import type { UncheckedBundle } from './build-bundle.ts';

/** How many attachments are sent together. */
const ATTACHMENTS_PER_PIECE = 64;

/** The JSON of a bundle, with a turn for each attachment; they come last. */
export async function* formatInPieces(
  { attachments, ...rest }: UncheckedBundle,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  yield utf8(`${JSON.stringify(rest).slice(0, -1)},"attachments":[`);
  for (let from = 0; from < attachments.length; from += ATTACHMENTS_PER_PIECE) {
    const some: string[] = [];
    for (const one of attachments.slice(from, from + ATTACHMENTS_PER_PIECE)) {
      await turn();
      some.push(JSON.stringify(one));
    }
    yield utf8(`${from === 0 ? '' : ','}${some.join(',')}`);
  }
  yield utf8(']}');
}
