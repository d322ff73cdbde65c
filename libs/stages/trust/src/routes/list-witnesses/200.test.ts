import { describe, expect, it } from '@jest/globals';
import { createVkey, formatVkey } from '@answer-evidence/note';
import { openTrust, putPolicy, runConsumer } from '../../fixtures/trust.ts';

const vkey = formatVkey(createVkey('w.example', 4, new Uint8Array(32).fill(9)));

describe('GET /api/trust/witnesses', () => {
  it('lists the policy’s witnesses, and why the last request failed', async () => {
    const stage = await openTrust();
    expect(await stage.call('GET', '/api/trust/witnesses', { as: stage.member })).toMatchObject({
      body: { items: [] },
    });
    await putPolicy(stage, { witness_policy: `witness w1 ${vkey} https://w.example\nquorum w1\n` });
    const before = await stage.call('GET', '/api/trust/witnesses', { as: stage.member });
    expect(before.body).toMatchObject({
      items: [{ name: 'w1', vkey, failures: 0, last_error: null, tree_size: null }],
    });
    await runConsumer(stage, 'trust.publish');
    await runConsumer(stage, 'trust.witness');
    const after = await stage.call('GET', '/api/trust/witnesses', { as: stage.member });
    expect(after.body).toMatchObject({
      items: [{ name: 'w1', url: 'https://w.example', failures: 1, last_error: 'no usable response' }],
    });
  });
});
