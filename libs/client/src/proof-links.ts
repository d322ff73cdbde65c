import type { CreateProofLinkRequest } from '@answer-evidence/contracts';
import { createProofLink, listProofLinks, revokeProofLink } from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { Send } from './transport.ts';

/** Links that show one record to the person concerned. */
export type ProofLinksApi = ReturnType<typeof createProofLinksApi>;

/** The operations on links to records over a transport. */
export function createProofLinksApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const of = (answer_log_id: string) => ({ params: { answer_log_id } });

  /** Refuses the link of another record: who is given it would read somebody else's answer. */
  const assertOf = async (recordId: string, links: readonly { readonly answer_log_id: string }[]) =>
    assertSame(
      links.flatMap(({ answer_log_id: shown }) => differencesOf({ '/answer_log_id': [recordId.toLowerCase(), shown] })),
    );

  return {
    /** A link with its token and URL, which are shown this once. */
    async create(recordId: string, body: CreateProofLinkRequest = {}) {
      const link = await call(createProofLink, { ...of(recordId), body });
      await assertOf(recordId, [link]);
      return link;
    },
    /** Newest first, without what opens them. */
    async list(recordId: string) {
      const links = await call(listProofLinks, of(recordId));
      await assertOf(recordId, links.items);
      return links;
    },
    /** Ends a link; once more changes nothing. */
    async revoke(recordId: string, id: string): Promise<void> {
      const params = { answer_log_id: recordId, proof_link_id: id };
      await send(toCall(revokeProofLink, { params }, { repeat: 'safe' }));
    },
  };
}
