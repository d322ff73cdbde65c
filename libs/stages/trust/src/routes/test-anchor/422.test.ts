import { expect, it } from '@jest/globals';
import { createClosedOutbound, openTrust } from '../../fixtures/trust.ts';

const TSA = { id: 'tsa', type: 'rfc3161', url: 'https://tsa.example', certificate_pem: 'x', required: true };

it.each([
  ['an address that may not be called', { url: 'http://169.254.169.254/' }, '/url'],
  ['no certificate', {}, '/certificate_pem'],
])('answers 422 to %s, and calls nobody', async (_, change, pointer) => {
  const parseCertificates = (pem: string) => {
    if (pem === 'x' && pointer === '/certificate_pem') throw new Error('no certificate');
    return [];
  };
  const outbound = {
    ...createClosedOutbound(),
    post: () => Promise.reject(new Error('somebody was called')),
  };
  const stage = await openTrust({ parseCertificates, outbound });
  const reply = await stage.call('POST', '/api/trust/anchors/test', { as: stage.manager, body: { ...TSA, ...change } });
  expect(reply).toMatchObject({ status: 422, code: 'trust_policy_not_valid', errors: [{ pointer }] });
});
