import type { GroupRule } from '@answer-evidence/contracts';
import type { ConsoleSessionStore, IdentityProvider } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';

/** Who vouches for people besides their passwords, and for members of which workspace. */
export type SignInProvider = {
  readonly provider: IdentityProvider;
  readonly workspace: string;
  /** Told why somebody whom the provider vouches for was not signed in; a word, for the operator's log. */
  readonly onRefused: (reason: string) => void;
  /** Whether the first sign-in of a member by their name links them to the subject. */
  readonly linksFirst: boolean;
  /** Which groups give which roles; left out: groups mean nothing. `onKept`: told of a last manager who stays one. */
  readonly groups?: { readonly rules: readonly GroupRule[]; readonly onKept: () => void };
};

/** What signing browsers in and keeping them so needs. */
export type ConsoleSessionDeps = WorkspaceDeps & {
  /** Left out: people sign in with passwords alone. */
  readonly signInProvider?: SignInProvider;
  readonly consoleSessions: ConsoleSessionStore;
  /** How long a session lasts at most, and without a request. */
  readonly sessionLife: { readonly seconds: number; readonly idleSeconds: number };
  /** How many standbys the database has while no commit waits for one. */
  readonly asynchronousStandbys: () => number;
  /** The path of the public address, without a slash at its end: cookies are for what is below it. Default: none. */
  readonly basePath?: string;
};

/** The built pages. */
export type ConsoleFiles = {
  /** A file by its path below `/console/`, such as `assets/index-4f2a.js`. */
  find(path: string): { readonly contentType: string; readonly bytes: Uint8Array } | undefined;
};

/** The built documentation. */
export type DocsFiles = {
  readonly isBuilt: boolean;
  /** A file by its path below `/docs/`, such as `trust.html`. */
  find(path: string): Promise<{ readonly contentType: string; readonly bytes: Uint8Array } | undefined>;
};

/** What the stage needs from around it. */
export type ConsoleDeps = ConsoleSessionDeps & { readonly consoleFiles: ConsoleFiles; readonly docsFiles: DocsFiles };
