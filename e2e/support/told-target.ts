import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { NOTIFICATION_ABOUT, notificationBody, type NotificationType } from '@answer-evidence/contracts';
import type { TestService } from '../../tools/scenery/test-service.ts';
import { openReceiver, type Received, verifyDelivery } from './webhook-receiver.ts';

/** Stands in every text and reason that a test submits, so that no delivery may have it. */
export const PRIVATE = 'zz-private-zz';
/** Where targets are. */
export const TARGETS = '/api/notifications/targets';

/** Members of `about` that tell a notification from others of its type. */
export type About = Readonly<Record<string, unknown>>;

/** A target of every type, with its receiver. */
export type ToldTarget = Awaited<ReturnType<typeof openToldTarget>>;

/** Adds a target that is told everything, as the first one of its workspace. It accepts what is verified on arrival. */
export async function openToldTarget({ call }: Pick<TestService, 'call'>) {
  const receiver = await openReceiver();
  const { status, body } = await call('POST', TARGETS, { body: { name: 'everything', url: receiver.url } });
  expect([status, body.code]).toEqual([201, undefined]);
  const found = (type: NotificationType, about: About) => (one: Received) =>
    one.body.type === type &&
    Object.entries(about).every(([name, value]) => isDeepStrictEqual(one.body.data['about'][name], value));
  const isVerified = (one: Received): boolean => {
    try {
      verifyDelivery(body.secret, one);
      return true;
    } catch {
      return false;
    }
  };
  // As a receiver does that goes by the library, which also refuses what was signed at another time than now.
  receiver.responds((one) => (isVerified(one) ? 204 : 401));
  return {
    /** Resolves once it was told that. */
    told: (type: NotificationType, about: About = {}) => receiver.waitFor(found(type, about)),
    /**
     * Expects that it is told that by one notification, in a delivery that another author's library verifies, with what
     * is documented of the type and with nothing that was submitted.
     */
    async expectOnce(type: NotificationType, about: About): Promise<void> {
      const one = await receiver.waitFor((some) => found(type, about)(some) && isVerified(some));
      expect(new Set(receiver.received.filter(found(type, about)).map(({ id }) => id)).size).toBe(1);
      const { data } = notificationBody.parse(JSON.parse(one.text));
      expect(Object.keys(NOTIFICATION_ABOUT[type].parse(data.about)).sort()).toEqual(Object.keys(data.about).sort());
      expect(one.text).not.toContain(PRIVATE);
    },
    close: () => receiver.close(),
  };
}
