import { utf8 } from '@answer-evidence/encoding';
import type { UncheckedBundle } from './build-bundle.ts';

const ATTACHMENTS_A_TURN = 64;

/** The JSON of a bundle, a piece for each turn; its attachments come last. */
export async function* formatInPieces(
  { attachments, ...rest }: UncheckedBundle,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  yield utf8(`${JSON.stringify(rest).slice(0, -1)},"attachments":[`);
  for (let from = 0; from < attachments.length; from += ATTACHMENTS_A_TURN) {
    await turn();
    const some = attachments.slice(from, from + ATTACHMENTS_A_TURN).map((one) => JSON.stringify(one));
    yield utf8(`${from === 0 ? '' : ','}${some.join(',')}`);
  }
  yield utf8(']}');
}
