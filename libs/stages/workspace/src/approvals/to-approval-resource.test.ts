import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashItem, ITEM_SALT_BYTES } from '@answer-evidence/commitments';
import { canonicalize } from '@answer-evidence/encoding';
import type { StoredApproval, Workspace } from '@answer-evidence/ports';
import { REQUEST_FIELD } from '@answer-evidence/routes';
import { createTestVault } from '@answer-evidence/testing';
import { toApprovalResource } from './to-approval-resource.ts';

const ANCHOR = {
  ...{ id: 'bucket', type: 'object-lock', url: 'https://s3.example.com', bucket: 'logs', region: 'us-east-1' },
  ...{ prefix: '', retention_days: 1, required: false, access_key_id: 'key-id' },
};
const POLICY = {
  ...{ checkpoint_interval_seconds: 10, anchor_interval_seconds: 3600, anchors_required: 0 },
  ...{ witness_policy: 'quorum none\n', public_log: false, version: 0 },
};

describe('a request for a second person', () => {
  it('is shown with the policy that it asks for, and without the secrets of its anchors', () => {
    const [id, workspaceId] = [randomUUID(), randomUUID()];
    const vault = createTestVault(workspaceId);
    const policy = { ...POLICY, anchors: [{ ...ANCHOR, secret_access_key: 'secret-words' }] };
    const [salt, request] = ['ab'.repeat(ITEM_SALT_BYTES), canonicalize({ trust_policy: policy })];
    const key = vault.createObjectKey(id);
    const row = {
      ...{ id, state: 'open', requested_at: 1, expires_at: 3, wrapped_key: key.wrapped },
      sealed: key.seal(REQUEST_FIELD, JSON.stringify({ salt, request })),
    };
    const asked = { act: 'trust_policy', reason: 'a reason', request_hash: hashItem(salt, request) };
    const stored = { row, asked } as unknown as StoredApproval;
    const shown = toApprovalResource({ id: workspaceId, vault } as unknown as Workspace, stored, 2, true);
    expect(shown.request).toEqual({ trust_policy: { ...POLICY, anchors: [ANCHOR] } });
    expect(JSON.stringify(shown)).not.toContain('secret-words');
  });
});
