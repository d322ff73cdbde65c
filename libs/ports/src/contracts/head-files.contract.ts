import type { HeadFiles } from '../head-files.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** A place that the cases work on; each `open` opens the same place anew, as another process would. */
export type HeadFilesFixture = { open(): Promise<HeadFiles> };

const FOLDER = '0199f3c2-0000-7000-8000-000000000001';
const OTHER = '0199f3c2-0000-7000-8000-000000000002';

async function assertText(files: HeadFiles, name: string, wanted: string | undefined, promise: string): Promise<void> {
  const content = await files.read(name);
  assertKept((content && new TextDecoder().decode(content)) === wanted, promise);
}

/** What every adapter of `HeadFiles` keeps. */
export const headFilesContract: readonly ContractCase<HeadFilesFixture>[] = [
  {
    guarantee: 'nothing is where nothing was written',
    async prove(fixture) {
      const files = await fixture.open();
      await assertText(files, `${FOLDER}/a.json`, undefined, 'an unknown file must be missing');
      assertKept((await files.list(FOLDER)).length === 0, 'an unknown folder must be empty');
      assertKept((await files.folders()).length === 0, 'there must be no folder');
      await files.delete(`${FOLDER}/a.json`);
    },
  },
  {
    guarantee: 'a file is found whole, also when the place is opened anew, and also an empty one',
    async prove(fixture) {
      const text = '{"origin":"example.com/log \\"ä\\"\u2028"}\n';
      const files = await fixture.open();
      await files.write(`${FOLDER}/a.json`, text);
      await files.write(`${FOLDER}/empty`, '');
      for (const opened of [files, await fixture.open()]) {
        await assertText(opened, `${FOLDER}/a.json`, text, 'a file must be found where it was written');
        await assertText(opened, `${FOLDER}/empty`, '', 'an empty file is a file');
      }
    },
  },
  {
    guarantee: 'a folder lists its own files in order, and not those of folders in it or beside it',
    async prove(fixture) {
      const files = await fixture.open();
      for (const name of [`${FOLDER}/b`, `${FOLDER}/a`, `${FOLDER}/in/c`, `${OTHER}/d`, 'top'])
        await files.write(name, 'x');
      assertKept((await files.list(FOLDER)).join() === 'a,b', 'a folder must list its files');
      assertKept((await files.list(`${FOLDER}/in`)).join() === 'c', 'a folder in a folder must list its files');
      assertKept((await files.list('')).join() === 'top', 'the top must list its files');
      assertKept((await files.folders()).join() === [FOLDER, OTHER].join(), 'the folders must be those at the top');
    },
  },
  {
    guarantee: 'more files than one page of a list are all listed',
    async prove(fixture) {
      const files = await fixture.open();
      const names = Array.from({ length: 7 }, (_, n) => `file-${n}`);
      for (const name of names) await files.write(`${FOLDER}/${name}`, 'x');
      assertKept((await files.list(FOLDER)).join() === names.join(), 'every file must be listed');
    },
  },
  {
    guarantee: 'the same file may be written again, by several at once, and stays',
    async prove(fixture) {
      const opened = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
      await Promise.all(opened.map((files) => files.write(`${FOLDER}/a.json`, 'the same\n')));
      const [files] = opened;
      await assertText(files, `${FOLDER}/a.json`, 'the same\n', 'the file must be there');
      assertKept((await files.list(FOLDER)).join() === 'a.json', 'nothing but the file may be left');
    },
  },
  {
    guarantee: 'a deleted file is gone, and the others stay',
    async prove(fixture) {
      const files = await fixture.open();
      for (const name of ['a', 'b']) await files.write(`${FOLDER}/${name}`, name);
      await files.delete(`${FOLDER}/a`);
      await files.delete(`${FOLDER}/a`);
      await assertText(await fixture.open(), `${FOLDER}/a`, undefined, 'a deleted file must be gone');
      await assertText(files, `${FOLDER}/b`, 'b', 'another file must stay');
    },
  },
];
