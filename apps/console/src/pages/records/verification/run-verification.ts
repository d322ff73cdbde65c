import type { BundleVerification } from '@answer-evidence/package-verify';
import type { VerifyReply, VerifyRequest } from './messages.ts';

/** Why nothing could be verified, in the verifier's words, which may have those of the bundle in them. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
}

/** Verifies in a worker of its own. Rejects with `VerificationError` where nothing could be verified. */
export async function runVerification(request: VerifyRequest): Promise<BundleVerification> {
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
  try {
    const reply = await new Promise<VerifyReply>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<VerifyReply>) => resolve(data));
      worker.addEventListener('error', () => reject(new VerificationError('the verifier could not be started')));
      worker.postMessage(request);
    });
    if ('fault' in reply) throw new VerificationError(reply.fault);
    return reply.verification;
  } finally {
    worker.terminate();
  }
}
