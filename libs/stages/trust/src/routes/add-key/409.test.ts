import { describe, expect, it } from '@jest/globals';
import { createRouteCaller } from '@answer-evidence/testing';
import { openTrust } from '../../fixtures/trust.ts';
import { addKeyRoute } from './handler.ts';

describe('POST /api/trust/keys', () => {
  it('answers 409 while two keys sign, and adds none', async () => {
    const stage = await openTrust();
    const add = () => stage.call('POST', '/api/trust/keys', { as: stage.manager });
    expect((await add()).status).toBe(201);
    expect(await add()).toMatchObject({ status: 409, code: 'log_key_conflict' });
    expect((await stage.logs.signer(stage.workspace.id)).keys).toHaveLength(2);
  });

  it('answers 409 for a log that has had as many keys outside of the service as it may, and makes none', async () => {
    const stage = await openTrust();
    const { signer } = stage.deps.logs;
    let made = 0;
    const vault = {
      ...stage.workspace.vault,
      createLedgerKey: () => Promise.reject(new Error(`made ${(made += 1)}`)),
    };
    const logs = {
      ...stage.deps.logs,
      async signer(id: string) {
        const now = await signer(id);
        const [first] = now.keys;
        const retired = Array.from({ length: 50 }, () => ({
          ...first,
          lastTreeSize: 0,
          examine: () => Promise.resolve(),
        }));
        return { ...now, keys: [...retired, ...now.keys] as typeof now.keys };
      },
    };
    const directory = { ...stage.deps.directory, get: () => Promise.resolve({ ...stage.workspace, vault }) };
    const call = createRouteCaller([addKeyRoute({ ...stage.deps, logs, directory })]);
    expect(await call('POST', '/api/trust/keys', { as: stage.manager })).toMatchObject({
      status: 409,
      code: 'log_key_conflict',
      detail: expect.stringContaining('has had 50 keys outside of the service'),
    });
    expect(made).toBe(0);
  });
});
