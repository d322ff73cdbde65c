import { describe, expect, it } from '@jest/globals';
import { openStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/dead-letters/{dead_letter_id}/replay', () => {
  it('answers 422 to a body that says anything', async () => {
    const { call, manager } = await openStage(createWorkspaceStage);
    const path = '/api/dead-letters/0199f3c2-0000-7000-8000-000000000001/replay';
    expect(await call('POST', path, { as: manager, body: { attempts: 1 } })).toMatchObject({
      status: 422,
      code: 'schema_violation',
    });
  });
});
