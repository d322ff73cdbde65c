import type { PlaceHoldRequest, ReleaseHoldRequest } from '@answer-evidence/contracts';
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
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on holds. */
export type HoldsApi = ReturnType<typeof createHoldsApi>;

/** The operations on holds over a transport. */
export function createHoldsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  const ofHold = (id: string) => ({ params: { hold_id: id } });

  return {
    /** Newest first. */
    list: async (query: PageRequest & { readonly status?: 'in_force' | 'released' } = {}) => call(listHolds, { query }),
    get: async (id: string) => agree(call(getHold, ofHold(id)), sameId(id)),
    /** Those in force that cover a record, oldest first. */
    ofRecord: async (recordId: string) =>
      (await call(listHoldsOfRecord, { params: { answer_log_id: recordId } })).items,
    /** What a hold covers now, newest first. */
    records: async (id: string, page: PageRequest = {}) => call(listHeldRecords, { ...ofHold(id), query: page }),
    place: async (body: PlaceHoldRequest) =>
      agree(call(placeHold, { body }), (hold) =>
        differencesOf({ '/matter': [body.matter, hold.matter], '/reason': [body.reason, hold.reason] }),
      ),
    release: async (id: string, body: ReleaseHoldRequest) =>
      agree(call(releaseHold, { ...ofHold(id), body }), sameId(id)),
  };
}
