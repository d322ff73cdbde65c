import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/overview', () => {
  it.each([[{ days: '0' }], [{ days: '3661' }], [{ days: 'all' }], [{ application_key: '' }], [{ until: 'now' }]])(
    'answers 422 to %j',
    async (query: Record<string, string>) => {
      const { call, manager } = createFakeStage(createWorkspaceStage);
      const reply = await call('GET', '/api/overview', { as: manager, query });
      expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
    },
  );
});
