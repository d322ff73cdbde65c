import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readCases } from '../../conformance/run.mjs';
import { judgeTwice } from '../../tools/conformance/judge-suite.ts';
import { describeWithTools } from './python-verifier.ts';

/** Hundreds of time-stamps are verified twice, on machines of any speed. */
const TIMEOUT_MS = 300_000;
const SUITE = join(import.meta.dirname, '../../conformance/v2');

type Pins = { readonly anchors: readonly { readonly certificate_pem: string | null }[]; readonly tsa_roots: unknown };

/** A trust file that believes the same certificates for any anchor. */
function pinRoots(trust: string): string {
  const { anchors, ...pins } = JSON.parse(trust) as Pins;
  return JSON.stringify({ ...pins, tsa_roots: anchors.flatMap(({ certificate_pem: pem }) => pem ?? []) });
}

describeWithTools('time-stamps under roots of any anchor', () => {
  it(
    'come to what they come to under the certificate of their anchor, for both verifiers',
    async () => {
      const kinds = [...readCases(SUITE)].filter(({ id }) => id.startsWith('time-stamp'));
      expect(kinds.length).toBeGreaterThanOrEqual(300);
      const others = kinds.map(({ id, given, expected }) => {
        const files = { ...given.files, trust: pinRoots(given.files['trust'] ?? '') };
        return { id, given: { ...given, files }, expected };
      });
      const { agreed, differences } = await judgeTwice(others);
      expect(differences).toEqual([]);
      const outcomeOf = (outcomes: Readonly<Record<string, string>> | undefined) =>
        outcomes?.['external_anchor'] ?? 'refused';
      expect(agreed.map(({ outcomes }, n) => [others[n]?.id, outcomeOf(outcomes)])).toEqual(
        others.map(({ id, expected }) => [id, outcomeOf(expected)]),
      );
    },
    TIMEOUT_MS,
  );
});
