import type { CreateProofLinkRequest } from '@answer-evidence/contracts';
import { createProofLink, listProofLinks, revokeProofLink } from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import type { Send } from './transport.ts';

/** Links that show one record to the person concerned. */
export type ProofLinksApi = ReturnType<typeof createProofLinksApi>;

/** The operations on links to records over a transport. */
export function createProofLinksApi(send: Send) {
  const { call } = createCalls(send);
  const of = (answer_log_id: string) => ({ params: { answer_log_id } });
  return {
    /** A link with its token and URL, which are shown this once. */
    create: async (recordId: string, body: CreateProofLinkRequest = {}) =>
      call(createProofLink, { ...of(recordId), body }),
    /** Newest first, without what opens them. */
    list: async (recordId: string) => call(listProofLinks, of(recordId)),
    /** Ends a link; once more changes nothing. */
    async revoke(recordId: string, id: string): Promise<void> {
      const params = { answer_log_id: recordId, proof_link_id: id };
      await send(toCall(revokeProofLink, { params }, { repeat: 'safe' }));
    },
  };
}
