import type { ConsoleSessionStore } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';

/** What signing browsers in and keeping them so needs. */
export type ConsoleSessionDeps = WorkspaceDeps & {
  readonly consoleSessions: ConsoleSessionStore;
  /** The path of the public address, without a slash at its end: cookies are for what is below it. Default: none. */
  readonly basePath?: string;
};

/** The built pages. */
export type ConsoleFiles = {
  /** A file by its path below `/console/`, such as `assets/index-4f2a.js`. */
  find(path: string): { readonly contentType: string; readonly bytes: Uint8Array } | undefined;
};

/** What the stage needs from around it. */
export type ConsoleDeps = ConsoleSessionDeps & { readonly consoleFiles: ConsoleFiles };
