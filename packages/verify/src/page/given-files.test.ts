import { expect, it } from '@jest/globals';
import { addFiles } from './given-files.ts';

// Every object has a member of the last name.
it.each(['answer-evidence-bundle/v9', 'constructor'])('a file of the format %s is refused', async (format) => {
  const file = new File([JSON.stringify({ format })], 'a.json');
  expect(await addFiles({}, [file])).toEqual({
    given: {},
    refused: ['a.json is neither a proof bundle, nor a trust file, nor a receipt (.tlog-proof).'],
  });
});
