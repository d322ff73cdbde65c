import { retentionForecast } from '../retention-forecast.ts';
import { hashIdRequest, hashKey, hashKeyList, idHashList, patchSettingsRequest, tenantSettings } from '../settings.ts';
import { hostDescription } from '../tokens.ts';
import { get, patch, post } from './operation.ts';
import { NOT_CURRENT, versioned, WITHOUT_BODY } from './parts.ts';

export const getTenantSettings = get('/api/tenant/settings', 'getTenantSettings', 'settings.read', {
  summary: 'Read the settings',
  responses: {
    200: versioned('The settings', tenantSettings),
  },
});

export const patchTenantSettings = patch('/api/tenant/settings', 'patchTenantSettings', 'settings.manage', {
  summary: 'Change the settings',
  body: patchSettingsRequest,
  responses: {
    200: versioned('The new settings; unchanged if the request has no effect', tenantSettings),
    ...NOT_CURRENT,
  },
});

export const getRetentionForecast = get('/api/tenant/retention-forecast', 'getRetentionForecast', 'settings.manage', {
  summary: 'Count the texts that will be erased, by month',
  responses: {
    200: { description: 'Counts of texts by the month in which their time comes', schema: retentionForecast },
  },
});

export const createHashKey = post('/api/tenant/hash-keys', 'createHashKey', 'hash_keys.manage', {
  summary: 'Create a hash key and activate it',
  ...WITHOUT_BODY,
  responses: {
    201: { description: 'The key, without its bytes', schema: hashKey },
    409: { description: 'There are as many hash keys as there may be' },
  },
});

export const listHashKeys = get('/api/tenant/hash-keys', 'listHashKeys', 'hash_keys.manage', {
  summary: 'List the hash keys',
  responses: { 200: { description: 'The keys, oldest first', schema: hashKeyList } },
});

export const hashId = post('/api/tenant/id-hashes', 'hashId', 'hash_keys.manage', {
  summary: 'Hash the id of a person or a session, to find the records that name it',
  body: hashIdRequest,
  responses: { 200: { description: 'The hash under each hash key, oldest key first', schema: idHashList } },
});

export const describeHost = get('/.well-known/answer-evidence', 'describeHost', 'public', {
  summary: 'Describe this host',
  responses: {
    200: {
      description: 'A workspace API host; `workspace` is null if the token selects it',
      schema: hostDescription,
    },
  },
});
