import * as z from 'zod';
import { createMemberRequest, member, memberList, memberWithLink, patchMemberRequest } from '../members.ts';
import { pageQuery } from '../pages.ts';
import { anyUuid } from '../primitives.ts';
import { get, patch, post, remove } from './operation.ts';
import { versioned } from './parts.ts';

const ofMember = z.strictObject({ member_id: anyUuid });

export const createMember = post('/api/members', 'createMember', 'members.change', {
  summary: 'Add a member',
  body: createMemberRequest,
  responses: {
    201: {
      description: 'The member, and the link by which they set their password; it is not shown again',
      schema: memberWithLink,
      headers: { Location: 'Path of the member', ETag: 'Version of the member, for If-Match' },
    },
    409: { description: 'A current or removed member has this name, or there are as many members as there may be' },
  },
});

export const getMember = get('/api/members/{member_id}', 'getMember', 'members.read', {
  summary: 'Read a member',
  params: ofMember,
  responses: {
    200: versioned('The member', member, 'member'),
    404: { description: 'No such member' },
  },
});

export const listMembers = get('/api/members', 'listMembers', 'members.read', {
  summary: 'List current and removed members',
  query: pageQuery,
  responses: { 200: { description: 'One page, by name', schema: memberList } },
});

export const patchMember = patch('/api/members/{member_id}', 'patchMember', 'members.change', {
  summary: 'Change a member',
  params: ofMember,
  body: patchMemberRequest,
  responses: {
    200: versioned(
      'The changed member, and the password link if requested; the link is not shown again',
      memberWithLink,
      'member',
    ),
    404: { description: 'No such member, or the member was removed' },
    409: {
      description:
        'The last manager must remain, `version` in the body is not the current one, or another member is linked to ' +
        'the subject',
    },
    412: { description: 'If-Match names another version' },
  },
});

export const removeMember = remove('/api/members/{member_id}', 'removeMember', 'members.change', {
  summary: 'Remove a member and revoke their tokens',
  params: ofMember,
  responses: {
    204: { description: 'The member is removed, and their tokens are revoked' },
    404: { description: 'No such member' },
    409: { description: 'The last manager must remain' },
    412: { description: 'If-Match names another version' },
  },
});
