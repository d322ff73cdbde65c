import * as z from 'zod';
import { anyUuid } from '../primitives.ts';
import { createStreamRequest, patchStreamRequest, stream, streamList, streamTest } from '../streams.ts';
import { get, patch, post, remove } from './operation.ts';
import { created, WITHOUT_BODY } from './parts.ts';

const ofStream = z.strictObject({ stream_id: anyUuid });
const NO_STREAM = { 404: { description: 'No such stream, or it was removed' } } as const;

export const listStreams = get('/api/streams', 'listStreams', 'streams', {
  summary: 'List where the entries of the log are sent, and how far each stream is',
  responses: { 200: { description: 'Every stream, oldest first', schema: streamList } },
});

export const createStream = post('/api/streams', 'createStream', 'streams', {
  summary: 'Send the entries of the log to a collector, a syslog receiver or a bucket',
  body: createStreamRequest,
  responses: {
    201: created('The stream, without what its destination is reached with', stream, 'stream'),
    409: { description: 'A stream has this name, or there are as many streams as there may be' },
  },
});

export const getStream = get('/api/streams/{stream_id}', 'getStream', 'streams', {
  summary: 'Read a stream',
  params: ofStream,
  responses: { 200: { description: 'The stream, and how far it is', schema: stream }, ...NO_STREAM },
});

export const patchStream = patch('/api/streams/{stream_id}', 'patchStream', 'streams', {
  summary: 'Change, disable or enable a stream; it goes on where it is',
  params: ofStream,
  body: patchStreamRequest,
  responses: {
    200: { description: 'The changed stream', schema: stream },
    ...NO_STREAM,
    409: { description: 'Another stream has this name' },
  },
});

export const removeStream = remove('/api/streams/{stream_id}', 'removeStream', 'streams', {
  summary: 'Remove a stream',
  params: ofStream,
  responses: { 204: { description: 'The stream is removed' }, ...NO_STREAM },
});

export const testStream = post('/api/streams/{stream_id}/test', 'testStream', 'streams', {
  summary: 'Send the destination of a stream one event that is about no entry, and wait for its outcome',
  params: ofStream,
  ...WITHOUT_BODY,
  responses: { 200: { description: 'Whether the destination confirmed it', schema: streamTest }, ...NO_STREAM },
});
