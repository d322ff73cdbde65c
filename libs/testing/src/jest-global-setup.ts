import { chmod, mkdtemp, readFile, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTestPostgres, testPostgresVariable } from './postgres-server.ts';
import { programsVariable } from './programs-variable.ts';
import { endSharedS3, s3Variable } from './shared-s3.ts';
import { createTemplateDatabase, templateVariable } from './test-database.ts';

/** Ends what the setup opened; Jest loads the teardown in the same process. */
export const closers: (() => Promise<void>)[] = [];

/** A folder in memory, which Linux has, and how much has to be free there: no run is known to use half of it. */
const MEMORY = { folder: '/dev/shm', bytes: 4 * 2 ** 30 };

/** The folder in which Node keeps what it has compiled, for the programs that tests start. */
const COMPILE_CACHE = 'NODE_COMPILE_CACHE';

/** The same for Python, which otherwise compiles a tool with all its packages for each of its runs. */
const PYTHON_CACHE = 'PYTHONPYCACHEPREFIX';

/**
 * Starts one PostgreSQL for the run, unless the environment names one, migrates the template of its databases, and
 * names both to the workers. Programs that tests start share their bundles and what Node has compiled of them (Jest:
 * `globalSetup`).
 */
export default async function setUp(): Promise<void> {
  await keepFilesInMemory();
  const given = process.env[testPostgresVariable];
  const postgres = await openTestPostgres();
  closers.push(() => postgres.close());
  const template = await createTemplateDatabase(postgres.url).catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  closers.push(() => template.drop());
  process.env[testPostgresVariable] = postgres.url;
  process.env[templateVariable] = template.name;
  if (process.env[COMPILE_CACHE] === undefined) process.env[COMPILE_CACHE] = await keepFolder(COMPILE_CACHE);
  if (process.env[PYTHON_CACHE] === undefined) process.env[PYTHON_CACHE] = await keepFolder(PYTHON_CACHE);
  // It would forbid to fill the folder.
  delete process.env['PYTHONDONTWRITEBYTECODE'];
  const programs = await keepFolder(programsVariable);
  process.env[programsVariable] = programs;
  // Node would read a bundle as CommonJS first.
  await writeFile(join(programs, 'package.json'), '{"type":"module"}\n');
  // What a bundle leaves outside of itself is found from where it lies.
  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(programs, 'node_modules'));
  const s3 = await keepFolder(s3Variable);
  process.env[s3Variable] = s3;
  closers.push(() => endSharedS3(s3));
  // In watch mode the next run starts its own.
  closers.push(() => {
    if (given === undefined) delete process.env[testPostgresVariable];
    else process.env[testPostgresVariable] = given;
    delete process.env[templateVariable];
    return Promise.resolve();
  });
}

/**
 * Has all temporary files of the run in memory if there is room and nobody has named another place: tests make and
 * remove some 1,000 files for each PostgreSQL, which costs a disk's file system much of a run's processor time. What a
 * killed process has written survives there as well, and a power cut is not among the tests.
 */
async function keepFilesInMemory(): Promise<void> {
  if (process.env['TMPDIR'] !== undefined) return;
  const memory = await statfs(MEMORY.folder).catch(() => undefined);
  if (memory === undefined || memory.bavail * memory.bsize < MEMORY.bytes || !(await mayRunProgramsIn(MEMORY.folder)))
    return;
  process.env['TMPDIR'] = MEMORY.folder;
  const folder = await keepFolder('TMPDIR');
  process.env['TMPDIR'] = folder;
  // Some tests start programs as another user, whose folders are in this one.
  await chmod(folder, 0o711);
}

/** Whether a folder is mounted by itself without `noexec`, which containers often give such a folder. */
async function mayRunProgramsIn(folder: string): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const newest = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, place]) => place === folder);
  return newest !== undefined && newest[3]?.split(',').includes('noexec') === false;
}

/** A temporary folder for the run, which a variable of the environment will name. */
async function keepFolder(variable: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-run-'));
  closers.push(() => {
    delete process.env[variable];
    // A worker that is still ending may be writing to it.
    return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
  return folder;
}
