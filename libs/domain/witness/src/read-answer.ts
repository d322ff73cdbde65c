import { NoteError, type NoteSignature, parseNote } from '@answer-evidence/note';
import { parseSize, SIZE_CONTENT_TYPE } from './size-conflict.ts';
import { WitnessError } from './witness-error.ts';

/** The reply of a witness, as it came over HTTP. */
export type WitnessReply = { readonly status: number; readonly contentType: string; readonly text: string };

/** Why a witness gave no cosignature, by its own word. */
export type WitnessRefusal =
  | 'request_refused'
  | 'log_not_known'
  | 'log_key_not_trusted'
  | 'tree_refused'
  | 'rate_limited'
  | 'witness_failing'
  | 'answer_malformed';

/** What a reply says: signature lines, of which none is verified; another size; or no. */
export type WitnessAnswer =
  | { readonly kind: 'signatures'; readonly signatures: readonly NoteSignature[] }
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'refused'; readonly reason: WitnessRefusal };

/** Reads a reply to a request about this checkpoint's text. Never throws: the reply is another party's word. */
export function readWitnessAnswer(reply: WitnessReply, checkpointText: string): WitnessAnswer {
  try {
    if (reply.status === 200) {
      // The lines are those of a note, and are read as ones of this note.
      const { text, signatures } = parseNote(`${checkpointText}\n${reply.text}`);
      // An empty line in the reply would move the end of the text.
      if (text !== checkpointText) throw new WitnessError('the reply is not signature lines');
      return { kind: 'signatures', signatures };
    }
    if (reply.status === 409 && isSizeType(reply.contentType)) return { kind: 'conflict', size: parseSize(reply.text) };
  } catch (error) {
    if (!(error instanceof NoteError) && !(error instanceof WitnessError)) throw error;
    return { kind: 'refused', reason: 'answer_malformed' };
  }
  return { kind: 'refused', reason: refusalOf(reply.status) };
}

function isSizeType(contentType: string): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === SIZE_CONTENT_TYPE;
}

function refusalOf(status: number): WitnessRefusal {
  switch (status) {
    case 400:
      return 'request_refused';
    case 403:
      return 'log_key_not_trusted';
    case 404:
      return 'log_not_known';
    // 409 without a size: tlog-witness 1.0 says so of two roots of one size, later drafts 422.
    case 409:
    case 422:
      return 'tree_refused';
    case 429:
      return 'rate_limited';
    default:
      return status >= 500 ? 'witness_failing' : 'answer_malformed';
  }
}
