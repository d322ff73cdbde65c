import { expect, it } from '@jest/globals';
import { comparePublished, readCurrent, readPublished } from './published.ts';
import { compareStoredShapes, createStoredShapes } from './stored-shapes.ts';

it('lets down nobody who relies on what was published', async () => {
  const changes = comparePublished(await readPublished(), await readCurrent());
  const additions = changes.filter(({ kind }) => kind === 'addition');
  if (additions.length > 0)
    process.stderr.write(`${additions.length} additions since the last \`npm run api:accept\`, which shows them\n`);
  expect(changes.filter(({ kind }) => kind === 'breaking')).toEqual([]);
}, 60_000);

it('watches every core, the entry, the bundle and the trust file', () => {
  const shapes = createStoredShapes();
  expect(Object.keys(shapes)).toEqual(
    expect.arrayContaining(['ledgerEntry', 'proofBundle', 'trustFile', 'recordCore', 'eventCore', 'genesisCore']),
  );
  const { recordCore: _, ...others } = shapes;
  expect(compareStoredShapes(shapes, others)).toEqual([{ kind: 'breaking', at: 'recordCore', text: 'is gone' }]);
});
