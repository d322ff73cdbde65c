import * as z from 'zod';
import { approval, approvalList, approvalQuery, requestApprovalRequest } from '../approvals.ts';
import { anyUuid } from '../primitives.ts';
import { CREATE_BODY_BYTES_MAX } from '../records.ts';
import { get, post } from './operation.ts';
import { created, WITHOUT_BODY } from './parts.ts';

const ofApproval = z.strictObject({ approval_id: anyUuid });
const NO_APPROVAL = { 404: { description: 'No such request' } } as const;

export const requestApproval = post('/api/approvals', 'requestApproval', 'approvals', {
  summary: 'Ask for an act that a second person approves',
  body: requestApprovalRequest,
  bodyBytesMax: CREATE_BODY_BYTES_MAX,
  responses: {
    201: created('The request; nothing of the act is done yet', approval, 'request'),
    404: { description: 'What the act is about does not exist' },
    409: { description: 'The act could not be done now, or as many requests wait as may' },
  },
});

export const listApprovals = get('/api/approvals', 'listApprovals', 'approvals.read', {
  summary: 'List requests for a second person, newest first',
  query: approvalQuery,
  responses: { 200: { description: 'One page', schema: approvalList } },
});

export const getApproval = get('/api/approvals/{approval_id}', 'getApproval', 'approvals.read', {
  summary: 'Read a request for a second person',
  params: ofApproval,
  responses: { 200: { description: 'The request, and what became of it', schema: approval }, ...NO_APPROVAL },
});

export const approveRequest = post('/api/approvals/{approval_id}/approve', 'approveRequest', 'approvals', {
  summary: 'Approve a request, which does what it asks for',
  params: ofApproval,
  ...WITHOUT_BODY,
  responses: {
    200: { description: 'The approved request; its act is done', schema: approval },
    ...NO_APPROVAL,
    409: { description: 'The request is no longer open, or what it is about has changed since' },
  },
});

export const declineRequest = post('/api/approvals/{approval_id}/decline', 'declineRequest', 'approvals', {
  summary: 'Decline a request of somebody else',
  params: ofApproval,
  ...WITHOUT_BODY,
  responses: {
    200: { description: 'The declined request', schema: approval },
    ...NO_APPROVAL,
    409: { description: 'The request is no longer open' },
  },
});

export const withdrawRequest = post('/api/approvals/{approval_id}/withdraw', 'withdrawRequest', 'approvals', {
  summary: 'Withdraw a request of your own',
  params: ofApproval,
  ...WITHOUT_BODY,
  responses: {
    200: { description: 'The withdrawn request', schema: approval },
    ...NO_APPROVAL,
    409: { description: 'The request is no longer open' },
  },
});
