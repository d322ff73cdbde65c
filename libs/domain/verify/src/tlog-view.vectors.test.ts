import { describe, expect, it } from '@jest/globals';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import { verifySignature } from '../fixtures/signer.ts';
import { createTlogView } from './tlog-view.ts';

/**
 * Logs of another implementation: transparency-dev/trillian-tessera, testdata/log/checkpoint.7 and .15, whose entries
 * testdata/build_log.sh lists.
 */
const LOGS = [
  {
    vkey: 'astra+cad5a3d2+AZJqeuyE/GnknsCNh1eCtDtwdAwKBddOlS8M2eI1Jt4b',
    entries: 'one two three four five six seven',
    note:
      'astra\n7\nIrSXADBqJ7EQoUODSDKROySgNveeL6CFhik2w/+fS7U=\n\n\u2014 astra ' +
      'ytWj0q61ftJEOaWEsCHuXyLlRcqjLBd1+p7o+iN+9vzKclbpIu4molDU/gKGVcneESQzY+KeoxP3AltrMQANWw4HjQk=\n',
  },
  {
    vkey: 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx',
    entries: 'one two three four five six seven eit nain ten ileven twelf threeten fourten fivten',
    note:
      'example.com/log/testdata\n15\nrKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs=\n\n\u2014 example.com/log/testdata ' +
      'M9e0luh4jTG+UMBqOUo9/q+yAEvx1ilBEniMvjf1zfcBOhg+CKubMt53MvIt/uEWP6zdkdIQzd/fmwlM/dlPWF74ewI=\n',
  },
];

/** A bundle of entries as C2SP tlog-tiles writes it: each after its length as a big-endian 16-bit number. */
function bundleOf(entries: readonly string[]): Uint8Array {
  return concatBytes(...entries.flatMap((entry) => [Uint8Array.of(0, entry.length), utf8(entry)]));
}

describe.each(LOGS)('a published log of another implementation, $vkey', ({ vkey, entries, note }) => {
  const { text } = parseNote(note);
  const checkpoint = parseCheckpoint(text);
  const words = entries.split(' ');

  it('has a checkpoint whose signature holds', async () => {
    expect(await verifyNote(parseNote(note), [parseVkey(vkey)], verifySignature)).toHaveLength(1);
  });

  it('has entries that lead to the root of the checkpoint, and none other do', async () => {
    const path = `tile/entries/000.p/${checkpoint.size}`;
    const viewOf = (read: readonly string[]) =>
      createTlogView((asked) => Promise.resolve(asked === path ? bundleOf(read) : undefined), checkpoint);
    expect(await viewOf(words).rootAt?.(checkpoint.size)).toEqual(checkpoint.root);
    await expect(viewOf([...words.slice(1), 'one']).rootAt?.(checkpoint.size)).rejects.toThrow(
      'do not produce the root',
    );
  });
});
