import type { ApprovalState, RequestApprovalRequest } from '@answer-evidence/contracts';
import {
  approveRequest,
  declineRequest,
  getApproval,
  listApprovals,
  requestApproval,
  withdrawRequest,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { below, differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on requests for a second person. */
export type ApprovalsApi = ReturnType<typeof createApprovalsApi>;

/** The operations on requests for a second person over a transport. */
export function createApprovalsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  const of = (id: string) => ({ params: { approval_id: id } });

  return {
    /** Newest first. */
    list: async ({ state, ...page }: PageRequest & { readonly state?: ApprovalState } = {}) =>
      agree(call(listApprovals, { query: { state, ...page } }), (found) =>
        found.items.flatMap((one, n) => below(`/items/${n}`, differencesOf({ '/state': [state, one.state] }))),
      ),
    get: async (id: string) => agree(call(getApproval, of(id)), sameId(id)),
    /** Nothing of the act is done before a second person approves it. */
    async request(body: RequestApprovalRequest) {
      const made = await call(requestApproval, { body });
      const { event, member, hold_release: release } = body;
      await assertSame(
        differencesOf({
          '/reason': [body.reason, made.reason],
          '/subject/answer_log_id': [event?.answer_log_id.toLowerCase(), made.subject.answer_log_id],
          '/subject/member_id': [member?.member_id.toLowerCase(), made.subject.member_id],
          '/subject/hold_id': [release?.hold_id.toLowerCase(), made.subject.hold_id],
        }),
      );
      return made;
    },
    /** Does what was asked for. */
    approve: async (id: string) => agree(call(approveRequest, of(id)), sameId(id)),
    decline: async (id: string) => agree(call(declineRequest, of(id)), sameId(id)),
    withdraw: async (id: string) => agree(call(withdrawRequest, of(id)), sameId(id)),
  };
}
