import { expect, it } from '@jest/globals';
import { addFiles } from './given-files.ts';

// Every object has a member of the last name.
it.each(['answer-evidence-bundle/v9', 'constructor'])('a file of the format %s is refused', async (format) => {
  const file = new File([JSON.stringify({ format })], 'a.json');
  const { given, refused } = await addFiles({ evidence: [] }, [file]);
  expect(given).toEqual({ evidence: [] });
  expect(refused).toEqual([expect.stringMatching(/^a\.json is not used: its format is not known to this verifier/)]);
});

it('a file is taken by what is in it, whatever it is called', async () => {
  const files = [
    ['a', '{"format":"answer-evidence-bundle/v1"'],
    ['b', '{"format":"answer-evidence-trust/v1"}'],
    ['c', 'c2sp.org/tlog-proof@v1\n'],
    ['d', '<script type="application/json" id="bundle-1">{}</script>'],
    ['e', '{"format":"answer-evidence-reconciliation/v1"}'],
  ].map(([name, text]) => new File([text ?? ''], name ?? ''));
  const { given, refused } = await addFiles({ evidence: [] }, files);
  expect(refused).toEqual([]);
  expect(given.trust?.name).toBe('b');
  expect(given.evidence.map(({ name, is }) => `${name} ${is.kind}`)).toEqual([
    'a bundle',
    'c receipt',
    'd pack',
    'e run',
  ]);
});
