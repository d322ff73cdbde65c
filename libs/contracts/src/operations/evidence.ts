import * as z from 'zod';
import {
  createdEvidenceAsset,
  createEvidenceRequest,
  downloadEvidenceRequest,
  EVIDENCE_BODY_BYTES_MAX,
  evidenceAccessList,
  evidenceAsset,
  evidenceAssetList,
  evidenceFilters,
  evidenceMetadata,
  retrievedEvidence,
  retrieveEvidenceRequest,
} from '../evidence.ts';
import { pageQuery } from '../pages.ts';
import { anyUuid } from '../primitives.ts';
import { get, post } from './operation.ts';
import { NO_RECORD, ofRecord } from './parts.ts';

/** Larger than any settings can allow: what counts are the settings, which are looked at while the file streams. */
const FILE_BYTES_MAX = 5 * 1024 ** 4;
/** Segments of a caller's own may come along with a file. */
const METADATA_BYTES_MAX = 4 * 1024 * 1024;

const RECORD_ASSETS = '/api/answer-audit-logs/{answer_log_id}/evidence-assets';
const ofAsset = z.strictObject({ asset_id: anyUuid });
const NO_ASSET = { 404: { description: 'No such asset' } } as const;

/** What all operations that make an asset have in common. */
const CREATING = {
  rateLimit: 'create',
  body: createEvidenceRequest,
  bodyBytesMax: EVIDENCE_BODY_BYTES_MAX,
  form: { metadata: evidenceMetadata, fileBytesMax: FILE_BYTES_MAX, metadataBytesMax: METADATA_BYTES_MAX },
} as const;

const CREATED = {
  201: {
    description: 'The new asset, or with Idempotency-Replayed the one created earlier with this key',
    schema: createdEvidenceAsset,
    headers: {
      Location: 'Path of the asset',
      'Idempotency-Replayed': '`true` when an earlier request with this key created the asset',
    },
  },
  409: { description: 'The idempotency key was used with another payload' },
} as const;

const DOWNLOAD_HEADERS = {
  'Content-Disposition': 'Always an attachment',
  'X-Content-Type-Options': '`nosniff`',
  'Content-Security-Policy': 'Sandboxes a viewer that opens it anyway',
  'Evidence-Asset-Id': 'The asset',
  'Evidence-Access-Event-Id': 'The access event, for the `evidence_access_event_ids` of an answer',
  'Evidence-Source-Ref-Id': 'The `source_ref_id` issued with the access',
};

const DOWNLOADED = {
  200: { description: 'The original', contentType: '*/*', headers: DOWNLOAD_HEADERS },
  206: {
    description: 'The requested part of the original',
    contentType: '*/*',
    headers: { ...DOWNLOAD_HEADERS, 'Content-Range': 'The range, and the total size' },
  },
  404: { description: 'No such asset, or a reference, which has no content' },
  410: { description: 'The original was redacted or has expired' },
};

export const createEvidenceAsset = post('/api/evidence-assets', 'createEvidenceAsset', 'evidence.create', {
  summary: 'Upload a piece of evidence',
  ...CREATING,
  responses: CREATED,
});

export const uploadRecordEvidence = post(`${RECORD_ASSETS}/upload`, 'uploadRecordEvidence', 'evidence.create', {
  summary: 'Upload a piece of evidence and link it to a record',
  params: ofRecord,
  ...CREATING,
  responses: { ...CREATED, ...NO_RECORD },
});

export const registerRecordEvidence = post(`${RECORD_ASSETS}/register`, 'registerRecordEvidence', 'evidence.create', {
  summary: 'Register a piece of evidence and link it to a record',
  params: ofRecord,
  ...CREATING,
  responses: { ...CREATED, ...NO_RECORD },
});

export const downloadEvidence = post('/api/evidence-assets/{asset_id}/download', 'downloadEvidence', 'evidence.texts', {
  summary: 'Download the original of a piece of evidence',
  givesTexts: 'file',
  params: ofAsset,
  body: downloadEvidenceRequest,
  bodyOptional: true,
  responses: DOWNLOADED,
});

export const downloadRecordEvidence = post(
  `${RECORD_ASSETS}/{asset_id}/download`,
  'downloadRecordEvidence',
  'evidence.texts',
  {
    summary: 'Download the original of a piece of evidence of a record',
    givesTexts: 'file',
    params: z.strictObject({ answer_log_id: anyUuid, asset_id: anyUuid }),
    body: downloadEvidenceRequest,
    bodyOptional: true,
    responses: DOWNLOADED,
  },
);

export const getEvidenceAsset = get('/api/evidence-assets/{asset_id}', 'getEvidenceAsset', 'evidence.read', {
  summary: 'Read a piece of evidence',
  params: ofAsset,
  responses: {
    200: { description: 'The asset', schema: evidenceAsset },
    ...NO_ASSET,
  },
});

export const listEvidenceAccesses = get(
  '/api/evidence-assets/{asset_id}/accesses',
  'listEvidenceAccesses',
  'evidence.accesses',
  {
    summary: 'List the accesses to a piece of evidence, newest first',
    params: ofAsset,
    query: pageQuery,
    responses: {
      200: { description: 'One page', schema: evidenceAccessList },
      ...NO_ASSET,
    },
  },
);

export const listEvidenceAssets = get('/api/evidence-assets', 'listEvidenceAssets', 'evidence.read', {
  summary: 'List evidence, newest first',
  query: evidenceFilters.extend(pageQuery.shape),
  responses: { 200: { description: 'One page', schema: evidenceAssetList } },
});

export const retrieveEvidence = post('/api/evidence-assets/{asset_id}/retrieve', 'retrieveEvidence', 'evidence.texts', {
  summary: 'Retrieve segments of a piece of evidence',
  givesTexts: 'file',
  rateLimit: 'create',
  params: ofAsset,
  body: retrieveEvidenceRequest,
  bodyOptional: true,
  responses: {
    200: { description: 'The segments, and the ids that bind them to an answer', schema: retrievedEvidence },
    ...NO_ASSET,
  },
});
