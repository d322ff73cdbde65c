const here = import.meta.url;

/**
 * The path of the console, without a slash at its end: `/console`, below what a proxy has before it. The file that this
 * is in lies in a folder of the console.
 */
export const CONSOLE_PATH = new URL('..', here).pathname.replace(/\/$/, '');

const BEFORE = CONSOLE_PATH.slice(0, -'/console'.length);

/** The address of the service for programs: the origin, and what a proxy has before the console. */
export const SERVICE_URL = location.origin + BEFORE;

/** A path of the console as the service names it, without what a proxy has before it. */
export function withinConsole(path: string): string {
  return path.startsWith(BEFORE) ? path.slice(BEFORE.length) : path;
}
