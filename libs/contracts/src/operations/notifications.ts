import * as z from 'zod';
import {
  confirmTargetRequest,
  createMailTargetRequest,
  createTargetRequest,
  deliveryList,
  deliveryQuery,
  notificationDelivery,
  notificationTarget,
  ownNotifications,
  ownNotificationsList,
  patchTargetRequest,
  putOwnNotificationsRequest,
  rotateTargetRequest,
  targetList,
  targetWithSecret,
} from '../notifications.ts';
import { anyUuid } from '../primitives.ts';
import { get, patch, post, put, remove } from './operation.ts';
import { created, WITHOUT_BODY } from './parts.ts';

const TARGET = '/api/notifications/targets/{target_id}';
const ofTarget = z.strictObject({ target_id: anyUuid });
const NO_TARGET = { 404: { description: 'No such target, or it was removed' } } as const;

export const listTargets = get('/api/notifications/targets', 'listNotificationTargets', 'notifications', {
  summary: 'List where notifications go',
  responses: { 200: { description: 'Every target, oldest first', schema: targetList } },
});

export const createTarget = post('/api/notifications/targets', 'createNotificationTarget', 'notifications', {
  summary: 'Add a webhook',
  body: createTargetRequest,
  responses: {
    201: created('The target with its secret, which is not shown again', targetWithSecret, 'target'),
    409: { description: 'A target has this name, or there are as many targets as there may be' },
  },
});

export const createMailTarget = post(
  '/api/notifications/mail-targets',
  'createNotificationMailTarget',
  'notifications',
  {
    summary: 'Add an address that mails go to, and send it a code',
    body: createMailTargetRequest,
    responses: {
      201: created('The target, which gets nothing before the code is confirmed', notificationTarget, 'target'),
      409: { description: 'A target has this name, or there are as many targets or codes as there may be' },
    },
  },
);

export const confirmTarget = post(`${TARGET}/confirm`, 'confirmNotificationTarget', 'notifications', {
  summary: 'Confirm the address of a target by the code that was sent there',
  params: ofTarget,
  body: confirmTargetRequest,
  responses: { 200: { description: 'The target, which is active', schema: notificationTarget }, ...NO_TARGET },
});

export const getTarget = get(TARGET, 'getNotificationTarget', 'notifications', {
  summary: 'Read a target',
  params: ofTarget,
  responses: { 200: { description: 'The target, without its secret', schema: notificationTarget }, ...NO_TARGET },
});

export const patchTarget = patch(TARGET, 'patchNotificationTarget', 'notifications', {
  summary: 'Change, disable or enable a target',
  params: ofTarget,
  body: patchTargetRequest,
  responses: {
    200: { description: 'The changed target', schema: notificationTarget },
    ...NO_TARGET,
    409: { description: 'Another target has this name' },
  },
});

export const removeTarget = remove(TARGET, 'removeNotificationTarget', 'notifications', {
  summary: 'Remove a target, with what waits for it',
  params: ofTarget,
  responses: { 204: { description: 'The target is removed' }, ...NO_TARGET },
});

export const rotateTarget = post(`${TARGET}/rotate`, 'rotateNotificationSecret', 'notifications', {
  summary: 'Give a target a new secret',
  params: ofTarget,
  body: rotateTargetRequest,
  bodyOptional: true,
  responses: {
    201: { description: 'The target with its new secret, which is not shown again', schema: targetWithSecret },
    ...NO_TARGET,
  },
});

export const testTarget = post(`${TARGET}/test`, 'testNotificationTarget', 'notifications', {
  summary: 'Send a target a notification of the type `test`',
  params: ofTarget,
  ...WITHOUT_BODY,
  responses: {
    202: { description: 'The delivery, which background work makes now', schema: notificationDelivery },
    ...NO_TARGET,
  },
});

export const listDeliveries = get(`${TARGET}/deliveries`, 'listNotificationDeliveries', 'notifications', {
  summary: 'List what a target got and is to get, newest first',
  params: ofTarget,
  query: deliveryQuery,
  responses: { 200: { description: 'One page', schema: deliveryList }, ...NO_TARGET },
});

export const replayDelivery = post(
  `${TARGET}/deliveries/{notification_id}/replay`,
  'replayNotificationDelivery',
  'notifications',
  {
    summary: 'Deliver a notification again',
    params: z.strictObject({ target_id: anyUuid, notification_id: anyUuid }),
    ...WITHOUT_BODY,
    responses: {
      202: { description: 'The delivery, which background work makes now', schema: notificationDelivery },
      404: { description: 'No such target or delivery' },
    },
  },
);

const NO_OWN = { 404: { description: 'The caller has set up none' } } as const;

export const getOwnNotifications = get('/api/notifications/mine', 'getOwnNotifications', 'notifications.own', {
  summary: 'Read what the caller has mailed to themselves',
  responses: { 200: { description: 'None or one, and the types that they may have', schema: ownNotificationsList } },
});

export const putOwnNotifications = put('/api/notifications/mine', 'putOwnNotifications', 'notifications.own', {
  summary: 'Have notifications mailed to oneself, or change how',
  body: putOwnNotificationsRequest,
  responses: {
    200: { description: 'A new address gets nothing before its code is confirmed', schema: ownNotifications },
    409: { description: 'As many codes were sent for the caller as may be within a day' },
  },
});

export const confirmOwnNotifications = post(
  '/api/notifications/mine/confirm',
  'confirmOwnNotifications',
  'notifications.own',
  {
    summary: 'Confirm the own address by the code that was sent there',
    body: confirmTargetRequest,
    responses: { 200: { description: 'Mails go there from now on', schema: ownNotifications }, ...NO_OWN },
  },
);

export const removeOwnNotifications = remove('/api/notifications/mine', 'removeOwnNotifications', 'notifications.own', {
  summary: 'End the own notifications, with what waits',
  responses: { 204: { description: 'Nothing more is mailed' }, ...NO_OWN },
});
