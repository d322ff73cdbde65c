import { openedProof } from '../opened-proofs.ts';
import {
  createdProofLink,
  createProofLinkRequest,
  ofProofLink,
  openProofLinkRequest,
  proofLinkList,
} from '../proof-links.ts';
import { get, post, remove } from './operation.ts';
import { NO_RECORD, ofRecord } from './parts.ts';

const LINKS = '/api/answer-audit-logs/{answer_log_id}/proof-links';

export const createProofLink = post(LINKS, 'createProofLink', 'proof_links', {
  summary: 'Make a link that shows a record to the person concerned',
  params: ofRecord,
  body: createProofLinkRequest,
  bodyOptional: true,
  compressReplies: false,
  responses: {
    201: { description: 'The link; its token and URL are not shown again', schema: createdProofLink },
    ...NO_RECORD,
    409: { description: 'The record has as many links as it may have' },
    410: { description: 'The record was redacted' },
  },
});

export const listProofLinks = get(LINKS, 'listProofLinks', 'proof_links', {
  summary: 'List the links that show a record, newest first',
  params: ofRecord,
  responses: { 200: { description: 'The links, without what opens them', schema: proofLinkList }, ...NO_RECORD },
});

export const revokeProofLink = remove(`${LINKS}/{proof_link_id}`, 'revokeProofLink', 'proof_links', {
  summary: 'Revoke a link that shows a record',
  params: ofProofLink,
  responses: {
    204: { description: 'The link opens nothing from now on' },
    404: { description: 'No such record, or no such link of it' },
  },
});

export const openProofLink = post('/api/proof-links/open', 'openProofLink', 'public', {
  summary: 'Open a link that shows a record',
  rateLimit: 'proof',
  crossOrigin: false,
  compressReplies: false,
  body: openProofLinkRequest,
  responses: {
    200: {
      description: 'The record, or its commitments, with what verifies it (answer-evidence-proof/v1)',
      schema: openedProof,
      headers: {
        'Cache-Control': '`no-store`',
        'Referrer-Policy': 'No referrer is sent',
        'X-Robots-Tag': 'Search engines keep nothing of it',
      },
    },
    404: { description: 'No link has this token' },
    410: { description: 'The link has expired or was revoked, or the record was redacted' },
  },
});
