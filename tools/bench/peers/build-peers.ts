import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, MissingProgramError } from '../machine/find-programs.ts';
import { runProgram } from '../machine/run-program.ts';

/** What is measured beside the service, by the paths of its programs. */
export type Peers = {
  readonly immudb: string;
  readonly immudbLoad: string;
  readonly tessera: string;
  readonly tesseraLog: string;
  readonly rekor: string;
};

const script = fileURLToPath(new URL('build.sh', import.meta.url));
/** The versions that build.sh names; others get a folder of their own. */
const VERSIONS = 'immudb-1.10.0-tessera-1.0.4-rekor-2.3.0';

/** Builds what is not built yet, in the cache of this user. Throws `MissingProgramError` without Go. */
export async function buildPeers(environment: Readonly<Record<string, string | undefined>>): Promise<Peers> {
  const path = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  if (findProgram('go', path) === undefined)
    throw new MissingProgramError('go is missing: install Go 1.25 or newer, see https://go.dev/dl/');
  const cache = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'answer-evidence', `peers-${VERSIONS}`);
  await runProgram('sh', [script, folder]);
  const bin = (name: string) => join(folder, 'bin', name);
  return {
    immudb: bin('immudb'),
    immudbLoad: bin('immudb-load'),
    tessera: bin('tessera'),
    tesseraLog: bin('tessera-log'),
    rekor: bin('rekor'),
  };
}
