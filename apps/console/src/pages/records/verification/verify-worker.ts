import '../../../shell/without-eval.ts';
import type { VerifyReply, VerifyRequest } from './messages.ts';

addEventListener('message', ({ data }: MessageEvent<VerifyRequest>) => {
  void verify(data).then((reply) => postMessage(reply));
});

/** Verifies in this thread, which shares nothing with the page but the request and the reply. */
async function verify({ bundle, trust, logUrl }: VerifyRequest): Promise<VerifyReply> {
  try {
    const { readLogAt, verifyBundle } = await import('@answer-evidence/package-verify');
    const options = logUrl === undefined ? {} : { log: readLogAt(logUrl) };
    return { verification: await verifyBundle(bundle, trust, options) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'the verifier met a fault' };
  }
}
