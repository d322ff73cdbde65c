import { readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';

/** A mount of this machine or container, as a process sees it. */
export type Mount = {
  readonly point: string;
  /** What of its file system is there: `/`, or the folder below which everything is. */
  readonly root: string;
  /** Such as `ext4`, `overlay` or `tmpfs`. */
  readonly fileSystem: string;
};

/** The mount on which a folder is, or will be made. Undefined where the system has no list of them (not Linux). */
export async function findMount(folder: string, list = '/proc/self/mountinfo'): Promise<Mount | undefined> {
  const path = await realpathOf(resolve(folder));
  const text = await readFile(list, 'utf8').catch(() => undefined);
  // The newest of several at one point hides the others, and stands last.
  return text
    ?.split('\n')
    .map(parseMount)
    .filter((mount) => mount !== undefined)
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
    .reduce<Mount | undefined>((best, one) => (one.point.length >= (best?.point.length ?? 0) ? one : best), undefined);
}

/** A line of proc(5), "mountinfo": the fields that vary in number end with a hyphen. */
function parseMount(line: string): Mount | undefined {
  const [fields = '', types] = line.split(' - ', 2);
  const [fileSystem] = types?.split(' ') ?? [];
  const [, , , root, point] = fields.split(' ');
  if (root === undefined || point === undefined || fileSystem === undefined) return undefined;
  return {
    root,
    point: point.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 8))),
    fileSystem,
  };
}

/** Of the nearest folder above that exists. */
async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return realpathOf(dirname(path));
  }
}
