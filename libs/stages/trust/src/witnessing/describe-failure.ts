import type { AskOutcome } from './ask-witness.ts';

type Failure = Extract<AskOutcome, { readonly kind: 'failed' }>;

/** Why a witness did not cosign, in words of ours: nothing that it has sent. */
export function describeFailure({ reason, witnessSize, detail }: Failure): string {
  const words = reason.replaceAll('_', ' ');
  if (detail !== undefined) return `${words}: ${detail}`;
  return witnessSize === undefined ? words : `${words} (it reports that it has cosigned ${witnessSize} entries)`;
}
