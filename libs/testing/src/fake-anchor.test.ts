import { describe, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { anchorContract } from '@answer-evidence/ports/contracts';
import { createFakeAnchor } from './fake-anchor.ts';

describe('createFakeAnchor keeps the contract:', () => {
  for (const promise of anchorContract) {
    it(promise.guarantee, () =>
      promise.prove({
        anchor: createFakeAnchor(),
        request: (n, signal = new AbortController().signal) => {
          const text = `log.example/a\n${n}\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
          const note = `${text}\n— log.example/a AAAAAAAAAAA=\n`;
          const config = { id: 'fake', type: 'file' } as const;
          return { config, note, digest: sha256(text), signal };
        },
        isReadable: true,
        misbehaving: {},
        unspeakable: [],
      }),
    );
  }
});
