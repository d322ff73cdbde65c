import { describe, it } from '@jest/globals';
import { outboundContract } from '@answer-evidence/ports/contracts';
import { FakeOutbound, silentPeer } from './fake-outbound.ts';

describe('FakeOutbound keeps the contract:', () => {
  for (const promise of outboundContract) {
    it(promise.guarantee, async () => {
      const outbound = new FakeOutbound();
      outbound.forbid('https://forbidden.example/');
      let peers = 0;
      const url = () => `https://peer${++peers}.example/`;
      await promise.prove({
        outbound,
        answering: (response) => {
          const at = url();
          outbound.put(at, () => response);
          return Promise.resolve(at);
        },
        silent: () => {
          const at = url();
          outbound.put(at, silentPeer);
          return Promise.resolve(at);
        },
        deserted: () => Promise.resolve(url()),
        forbidden: 'https://forbidden.example/',
      });
    });
  }
});
