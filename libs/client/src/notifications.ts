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
import { createCalls, toCall } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

type MailRequest = Pick<CreateMailTargetRequest, 'name' | 'address'> & Partial<CreateMailTargetRequest>;

/** Operations on where notifications go, and on what went there. */
export type NotificationsApi = ReturnType<typeof createNotificationsApi>;

/** The operations on notifications over a transport. */
export function createNotificationsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const ofTarget = (id: string) => ({ params: { target_id: id } });

  async function assertId<One extends { readonly id: string }>(id: string, one: One): Promise<One> {
    await assertSame(differencesOf({ '/id': [id.toLowerCase(), one.id] }));
    return one;
  }

  return {
    /** Oldest first. */
    list: async () => (await call(listTargets, {})).items,
    get: async (id: string) => assertId(id, await call(getTarget, ofTarget(id))),
    /** The only response that has the secret; none is made unseen. */
    async create(body: CreateTargetRequest) {
      const target = await call(createTarget, { body });
      await assertSame(differencesOf({ '/name': [body.name, target.name] }));
      return target;
    },
    /** Has a code sent to the address. */
    async createMail(body: MailRequest) {
      const target = await call(createMailTarget, { body });
      await assertSame(differencesOf({ '/name': [body.name, target.name] }));
      return target;
    },
    confirm: async (id: string, code: string) =>
      assertId(id, await call(confirmTarget, { ...ofTarget(id), body: { code } })),
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
    async removeOwn(): Promise<void> {
      await send(toCall(removeOwnNotifications, {}, { repeat: 'safe' }));
    },
    change: async (id: string, body: PatchTargetRequest) =>
      assertId(id, await call(patchTarget, { ...ofTarget(id), body })),
    /** Gives a new secret, shown only here. */
    rotate: async (id: string, body: RotateTargetRequest = {}) =>
      assertId(id, await call(rotateTarget, { ...ofTarget(id), body })),
    async remove(id: string): Promise<void> {
      await send(toCall(removeTarget, ofTarget(id), { repeat: 'safe' }));
    },
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
