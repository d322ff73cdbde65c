import { example } from './operation-example.ts';

/** Where notifications and entries go. */
export const OUTSIDE = [
  example('targets', 'listNotificationTargets', 200, 'Nothing is told to anybody'),
  example('newTarget', 'createNotificationTarget', 201, 'A webhook that is told of redactions and failing anchors', {
    body: {
      name: 'on-call',
      url: 'https://hooks.example.com/evidence',
      event_types: ['record.redacted', 'anchor.failing'],
    },
  }),
  example('notAnAddress', 'createNotificationMailTarget', 422, 'Mail goes to one address, without a name', {
    body: { name: 'anna', address: 'Anna <anna@example.com>', digest: 'daily', hour: 7, language: 'en' },
  }),
  example('ownNotifications', 'getOwnNotifications', 200, 'None yet, and the types that the caller may have'),
  example('ownAddress', 'putOwnNotifications', 422, 'Mail goes to one address, without a name', {
    body: { address: 'Anna <anna@example.com>', digest: 'daily', hour: 7, event_types: ['findings.overdue'] },
  }),
  example('ownCode', 'confirmOwnNotifications', 404, 'No address is set', {
    body: { code: '0123456789abcdef01234567' },
  }),
  example('noOwnNotifications', 'removeOwnNotifications', 404, 'No address is set'),
  example('wrongCode', 'confirmNotificationTarget', 422, 'A code that was not sent', {
    params: { target_id: '@newTarget#/id' },
    body: { code: '0123456789abcdef01234567' },
  }),
  example('readTarget', 'getNotificationTarget', 200, 'How it does, without its secret', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('disabledTarget', 'patchNotificationTarget', 200, 'Nothing goes there until it is enabled', {
    params: { target_id: '@newTarget#/id' },
    body: { state: 'disabled' },
  }),
  example('rotatedTarget', 'rotateNotificationSecret', 201, 'A new secret; for an hour both sign', {
    params: { target_id: '@newTarget#/id' },
    body: { overlap_seconds: 3600 },
  }),
  example('testedTarget', 'testNotificationTarget', 202, 'A test, which waits until the target is enabled', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('deliveries', 'listNotificationDeliveries', 200, 'What is on its way', {
    params: { target_id: '@newTarget#/id' },
    query: { state: 'pending' },
  }),
  example('replayedDelivery', 'replayNotificationDelivery', 202, 'It is due again', {
    params: { target_id: '@newTarget#/id', notification_id: '@testedTarget#/notification_id' },
  }),
  example('removedTarget', 'removeNotificationTarget', 204, 'The target and what waited for it are gone', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('streams', 'listStreams', 200, 'No entry is sent anywhere'),
  example('newStream', 'createStream', 201, 'Every entry from now on goes to a collector', {
    body: {
      name: 'siem',
      destination: {
        type: 'https',
        url: 'https://siem.example.com/services/collector/raw',
        header: { name: 'Authorization', value: 'Splunk 00000000-0000-0000-0000-000000000000' },
      },
    },
  }),
  example('changedStream', 'patchStream', 200, 'Entries wait until the stream is enabled', {
    params: { stream_id: '@newStream#/id' },
    body: { state: 'disabled' },
  }),
  example('readStream', 'getStream', 200, 'How far it is', { params: { stream_id: '@newStream#/id' } }),
  example('testedStream', 'testStream', 200, 'The collector was not reached', {
    params: { stream_id: '@newStream#/id' },
  }),
  example('removedStream', 'removeStream', 204, 'Nothing goes there any more', {
    params: { stream_id: '@newStream#/id' },
  }),
];
