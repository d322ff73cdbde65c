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
          const checkpointText = `log.example/a\n${n}\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
          const config = { id: 'fake', type: 'file' } as const;
          return { config, checkpointText, digest: sha256(checkpointText), signal };
        },
        misbehaving: {},
        unspeakable: [],
      }),
    );
  }
});
