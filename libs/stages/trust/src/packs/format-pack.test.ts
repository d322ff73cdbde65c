import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TrustFile } from '@answer-evidence/contracts';
import { formatPack } from './format-pack.ts';

const page = '<p>head</p><!-- parts --><p>tail <!-- parts --></p>';
const trust: TrustFile = { format: 'answer-evidence-trust/v1', logs: [], witness_policy: null, tsa_roots: [] };
const pack = (bundles: readonly { readonly text: string }[]) =>
  formatPack({ page, madeAt: '2026-01-01T00:00:00Z', origin: 'a/log', trust, bundles });

describe('the file of an evidence pack', () => {
  it('gives every bundle back by a plain search for its element, whatever its texts are', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string({ unit: 'binary' }) }), { minLength: 1 }), (bundles) => {
        const found = pack(bundles).matchAll(/<script type="application\/json" id="bundle-\d+">(.*?)<\/script>/gs);
        expect([...found].map(([, text]) => JSON.parse(text ?? ''))).toEqual(bundles);
      }),
    );
  });

  it.each(['</script><script>alert(1)</script>', '<!--<script>', ']]>', '<!-- parts -->'])(
    'has no other element for the text %j than for any text',
    (text) => {
      const elements = (file: string) => file.match(/<[^>]*>/g);
      expect(elements(pack([{ text }]))).toEqual(elements(pack([{ text: 'plain' }])));
    },
  );

  it('refuses a page that has no place for parts', () => {
    expect(() => formatPack({ page: '', madeAt: '', origin: '', trust, bundles: [] })).toThrow(
      'no place for its parts',
    );
  });
});
