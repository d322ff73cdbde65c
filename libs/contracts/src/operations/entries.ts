import * as z from 'zod';
import { workspaceEntryList, workspaceEntryQuery, workspaceEntryWithReceipt } from '../entries.ts';
import { anyUuid } from '../primitives.ts';
import { get } from './operation.ts';

export const listWorkspaceEntries = get('/api/tenant/entries', 'listWorkspaceEntries', 'entries.read', {
  summary: 'List what was done in the workspace, newest first',
  query: workspaceEntryQuery,
  responses: {
    200: {
      description: 'One page: settings, policies, keys, tokens, members, exports, runs and reveals',
      schema: workspaceEntryList,
    },
  },
});

export const getWorkspaceEntry = get('/api/tenant/entries/{entry_id}', 'getWorkspaceEntry', 'entries.read', {
  summary: 'Read an entry about the workspace, with its receipt',
  params: z.strictObject({ entry_id: anyUuid }),
  responses: {
    200: { description: 'The entry, and the proof that the log has it', schema: workspaceEntryWithReceipt },
    404: { description: 'No such entry' },
  },
});
