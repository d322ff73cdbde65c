import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { readResponse } from './read-response.ts';

const RESPONSE = {
  logIndex: '7',
  logId: { keyId: 'AAAA' },
  kindVersion: { kind: 'hashedrekord', version: '0.0.2' },
  integratedTime: '0',
  inclusionPromise: null,
  inclusionProof: {
    logIndex: '7',
    rootHash: 'AAAA',
    treeSize: '8',
    hashes: ['AAAA'],
    checkpoint: { envelope: 'a note' },
  },
  canonicalizedBody: 'AAAA',
};
const read = (response: unknown) => new TextDecoder().decode(readResponse(utf8(JSON.stringify(response))));

describe('readResponse', () => {
  it('keeps what a verifier reads, in one form', () => {
    expect(read(RESPONSE)).toBe(
      '{"canonicalizedBody":"AAAA","inclusionProof":{"checkpoint":{"envelope":"a note"},"hashes":["AAAA"],"logIndex":"7",' +
        '"rootHash":"AAAA","treeSize":"8"},"kindVersion":{"kind":"hashedrekord","version":"0.0.2"},' +
        '"logId":{"keyId":"AAAA"},"logIndex":"7"}',
    );
  });

  it('writes what the JSON of Protocol Buffers leaves out for the first entry of a log', () => {
    const { logIndex: _, logId: __, inclusionProof, ...rest } = RESPONSE;
    const { logIndex: ___, hashes: ____, ...proof } = inclusionProof;
    const kept = JSON.parse(read({ ...rest, inclusionProof: { ...proof, treeSize: '1' } }));
    expect(kept).toMatchObject({ logIndex: '0', inclusionProof: { logIndex: '0', hashes: [] } });
    expect(kept).not.toHaveProperty('logId');
  });

  it.each([
    ['nothing', {}],
    ['null', null],
    ['a list', [RESPONSE]],
    ['an entry of another kind', { ...RESPONSE, kindVersion: { kind: 'dsse', version: '0.0.2' } }],
    ['a place that is a number', { ...RESPONSE, logIndex: 7 }],
    ['a place below 0', { ...RESPONSE, logIndex: '-1' }],
    ['no proof', { ...RESPONSE, inclusionProof: undefined }],
    ['no checkpoint', { ...RESPONSE, inclusionProof: { ...RESPONSE.inclusionProof, checkpoint: undefined } }],
  ])('refuses %s', (_, response) => {
    expect(() => read(response)).toThrow("the log's response is not an entry of Rekor v2");
  });
});
