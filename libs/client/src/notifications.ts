import type {
  CreateMailTargetRequest,
  CreateTargetRequest,
  NotificationDelivery,
  OwnNotificationsWanted,
  PatchTargetRequest,
  RotateTargetRequest,
} from '@answer-evidence/contracts';
import {
  confirmOwnNotifications,
  confirmTarget,
  createMailTarget,
  createTarget,
  getOwnNotifications,
  getTarget,
  listDeliveries,
  listTargets,
  patchTarget,
  putOwnNotifications,
  removeOwnNotifications,
  removeTarget,
  replayDelivery,
  rotateTarget,
  testTarget,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

type MailRequest = Pick<CreateMailTargetRequest, 'name' | 'address'> & Partial<CreateMailTargetRequest>;

/** Operations on where notifications go, and on what went there. */
export type NotificationsApi = ReturnType<typeof createNotificationsApi>;

/** The operations on notifications over a transport. */
export function createNotificationsApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  const agree = createAgree(assertSame);
  const ofTarget = (id: string) => ({ params: { target_id: id } });

  return {
    /** Oldest first. */
    list: async () => (await call(listTargets, {})).items,
    get: async (id: string) => agree(call(getTarget, ofTarget(id)), sameId(id)),
    /** The only response that has the secret; none is made unseen. */
    create: async (body: CreateTargetRequest) =>
      agree(call(createTarget, { body }), (target) => differencesOf({ '/name': [body.name, target.name] })),
    /** Has a code sent to the address. */
    createMail: async (body: MailRequest) =>
      agree(call(createMailTarget, { body }), (target) => differencesOf({ '/name': [body.name, target.name] })),
    confirm: async (id: string, code: string) =>
      agree(call(confirmTarget, { ...ofTarget(id), body: { code } }), sameId(id)),
    /** What is mailed to the caller, if anything, and the types that they may have. */
    own: async () => call(getOwnNotifications, {}),
    /** Has notifications mailed to the caller, or changes how. A new address is sent a code. */
    async setOwn(body: OwnNotificationsWanted) {
      const own = await call(putOwnNotifications, { body });
      const { address, digest = 'at_once' } = body;
      await assertSame(differencesOf({ '/address': [address, own.address], '/digest': [digest, own.digest] }));
      return own;
    },
    confirmOwn: async (code: string) => call(confirmOwnNotifications, { body: { code } }),
    removeOwn: async () => end(removeOwnNotifications, {}),
    change: async (id: string, body: PatchTargetRequest) =>
      agree(call(patchTarget, { ...ofTarget(id), body }), sameId(id)),
    /** Gives a new secret, shown only here. */
    rotate: async (id: string, body: RotateTargetRequest = {}) =>
      agree(call(rotateTarget, { ...ofTarget(id), body }), sameId(id)),
    remove: async (id: string) => end(removeTarget, ofTarget(id)),
    /** Has a test sent, by background work. */
    test: async (id: string) => call(testTarget, ofTarget(id)),
    /** Newest first. */
    deliveries: async (
      id: string,
      { state, ...page }: PageRequest & { readonly state?: NotificationDelivery['state'] } = {},
    ) => call(listDeliveries, { ...ofTarget(id), query: { ...page, ...(state === undefined ? {} : { state }) } }),
    /** Has one delivered again; once more changes nothing while it waits. */
    async replay(id: string, notificationId: string) {
      const params = { target_id: id, notification_id: notificationId };
      const replayed = await call(replayDelivery, { params }, { repeat: 'safe' });
      await assertSame(differencesOf({ '/notification_id': [notificationId.toLowerCase(), replayed.notification_id] }));
      return replayed;
    },
  };
}
