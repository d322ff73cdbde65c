import { expect, it } from '@jest/globals';
import { createTestWitness } from '../../fixtures/create-witness.ts';
import { openTrust } from '../../fixtures/trust.ts';

const { vkey } = createTestWitness('w.example', 7);

it.each([
  ['a key that is none', { vkey: 'w', url: 'https://w.example' }, ['/vkey']],
  ['a key with a line of a policy after it', { vkey: `${vkey}\nquorum none`, url: 'https://w.example' }, ['/vkey']],
  ['an address that may not be called', { vkey, url: 'http://[::1]/' }, ['/url']],
  ['both', { vkey: 'w', url: 'http://10.0.0.1' }, ['/vkey', '/url']],
])('answers 422 to %s', async (_, body, pointers) => {
  const stage = await openTrust();
  const reply = await stage.call('POST', '/api/trust/witnesses/test', { as: stage.manager, body });
  expect(reply).toMatchObject({ status: 422, code: 'trust_policy_not_valid' });
  expect(reply.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
});
