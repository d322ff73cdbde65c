import { utf8 } from '@answer-evidence/encoding';
import {
  NoteError,
  parseCheckpoint,
  parseNote,
  type PolicyWitness,
  type SignedNote,
  type VerifiedCosignature,
  verifyCosignatures,
  type VerifySignature,
} from '@answer-evidence/note';
import { OutboundError, type OutboundHttp } from '@answer-evidence/ports';
import {
  formatAddCheckpoint,
  readWitnessAnswer,
  type WitnessAnswer,
  type WitnessRefusal,
} from '@answer-evidence/witness';

/** What asking needs. */
export type AskDeps = { readonly outbound: OutboundHttp; readonly verifySignature: VerifySignature };

/** Whom to ask for what. */
type AskRequest = {
  /** Its `url` is the submission prefix of the witness. */
  readonly witness: PolicyWitness;
  /** The signed note of the checkpoint. */
  readonly note: string;
  /** The size that the witness is known to have cosigned last; undefined when nothing is known. */
  readonly knownSize: number | undefined;
  /** The consistency proof from a size, above 0 and below that of the checkpoint. */
  readonly readProof: (fromSize: number) => Promise<readonly Uint8Array[]>;
  /** Ends the call under way, as one that got no answer in time. */
  readonly signal?: AbortSignal;
};

/**
 * Why there is no cosignature: an address that may not be called, no answer at all, the witness's own refusal, a line
 * that is not a cosignature by its key or not of this time, a tree that is said to be larger than ours, one conflict
 * after another, or no address to ask at.
 */
type AskFailure =
  | 'address_refused'
  | 'no_usable_response'
  | WitnessRefusal
  | 'cosignature_wrong'
  | 'cosignature_missing'
  | 'cosignature_time_wrong'
  | 'witness_ahead'
  | 'conflict_persists'
  | 'url_missing';

/** What asking came to. */
export type AskOutcome =
  | {
      readonly kind: 'cosigned';
      readonly cosignature: VerifiedCosignature;
      /** What the witness has cosigned last from now on. */
      readonly size: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: AskFailure;
      /** What the witness says that it has cosigned last, where it said so. */
      readonly witnessSize: number | undefined;
      /** More than the reason says, in our words. */
      readonly detail?: string;
    };

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** The first try may be from a wrong size, the second from the named one, the third after a faster process. */
const TRIES_MAX = 3;

/**
 * Asks a witness for its cosignature (C2SP tlog-witness, `add-checkpoint`). What is returned as cosigned was verified
 * by the witness's key over this very checkpoint; everything else that a witness can do is a failure. Rejects only when
 * `readProof` does.
 */
export async function askWitness(deps: AskDeps, request: AskRequest): Promise<AskOutcome> {
  const note = parseNote(request.note);
  const { size } = parseCheckpoint(note.text);
  let oldSize = request.knownSize ?? 0;
  let witnessSize: number | undefined;
  const fail = (reason: AskFailure): AskOutcome => ({ kind: 'failed', reason, witnessSize });

  for (let tries = 0; tries < TRIES_MAX; tries++) {
    // Asked from a size beyond the checkpoint, a witness could only refuse.
    if (oldSize > size) return fail('witness_ahead');
    const proof = oldSize === 0 || oldSize === size ? [] : await request.readProof(oldSize);
    const answer = await sendCheckpoint(
      deps,
      request,
      note,
      formatAddCheckpoint({ oldSize, proof, note: request.note }),
    );
    switch (answer.kind) {
      case 'signatures':
        return await verifyAnswer(deps, request.witness, { text: note.text, signatures: answer.signatures }, size);
      case 'refused':
        return fail(answer.reason);
      case 'conflict':
        // It refuses the very size that it names.
        if (answer.size === oldSize) return fail('conflict_persists');
        witnessSize = answer.size;
        oldSize = answer.size;
    }
  }
  return fail('conflict_persists');
}

type Answer = WitnessAnswer | { readonly kind: 'refused'; readonly reason: AskFailure };

/** Sends one `add-checkpoint` and reads the reply; nothing of it is verified. Never rejects for what a witness does. */
export async function sendCheckpoint(
  deps: AskDeps,
  { witness, signal }: Pick<AskRequest, 'witness' | 'signal'>,
  note: SignedNote,
  body: string,
): Promise<Answer> {
  if (witness.url === undefined) return { kind: 'refused', reason: 'url_missing' };
  try {
    const response = await deps.outbound.post({
      url: `${trimSlashes(witness.url)}/add-checkpoint`,
      body: utf8(body),
      contentType: 'text/plain; charset=utf-8',
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      ...(signal === undefined ? {} : { signal }),
    });
    const { status, contentType } = response;
    // What is no UTF-8 becomes a character that no line of the protocol has.
    return readWitnessAnswer({ status, contentType, text: new TextDecoder().decode(response.body) }, note.text);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A tenant reads the reason: a closed port must look like one that speaks another protocol.
    return { kind: 'refused', reason: error.kind === 'address_refused' ? error.kind : 'no_usable_response' };
  }
}

/** Without slashes at its end, in one pass: on a tenant's URL a pattern might try each slash as the first. */
function trimSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

/** Takes the cosignature out of a reply if it is one by this witness's key over this checkpoint. */
export async function verifyAnswer(
  deps: AskDeps,
  witness: PolicyWitness,
  answered: SignedNote,
  size: number,
): Promise<AskOutcome> {
  try {
    // Only the key that the policy gives to this witness: a line by another's proves nothing about whom was asked.
    const [cosignature] = await verifyCosignatures(answered, { witnesses: [witness] }, deps.verifySignature);
    if (cosignature !== undefined) return { kind: 'cosigned', cosignature, size };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { kind: 'failed', reason: 'cosignature_wrong', witnessSize: undefined };
  }
  return { kind: 'failed', reason: 'cosignature_missing', witnessSize: undefined };
}
