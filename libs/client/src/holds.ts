import type { Hold, PlaceHoldRequest, ReleaseHoldRequest } from '@answer-evidence/contracts';
import {
  getHold,
  listHeldRecords,
  listHolds,
  listHoldsOfRecord,
  placeHold,
  releaseHold,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on holds. */
export type HoldsApi = ReturnType<typeof createHoldsApi>;

/** The operations on holds over a transport. */
export function createHoldsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const ofHold = (id: string) => ({ params: { hold_id: id } });

  async function assertId(id: string, hold: Hold): Promise<Hold> {
    await assertSame(differencesOf({ '/id': [id.toLowerCase(), hold.id] }));
    return hold;
  }

  return {
    /** Newest first. */
    list: async (query: PageRequest & { readonly status?: 'in_force' | 'released' } = {}) => call(listHolds, { query }),
    get: async (id: string) => assertId(id, await call(getHold, ofHold(id))),
    /** Those in force that cover a record, oldest first. */
    ofRecord: async (recordId: string) =>
      (await call(listHoldsOfRecord, { params: { answer_log_id: recordId } })).items,
    /** What a hold covers now, newest first. */
    records: async (id: string, page: PageRequest = {}) => call(listHeldRecords, { ...ofHold(id), query: page }),
    async place(body: PlaceHoldRequest): Promise<Hold> {
      const hold = await call(placeHold, { body });
      await assertSame(differencesOf({ '/matter': [body.matter, hold.matter], '/reason': [body.reason, hold.reason] }));
      return hold;
    },
    release: async (id: string, body: ReleaseHoldRequest) =>
      assertId(id, await call(releaseHold, { ...ofHold(id), body })),
  };
}
