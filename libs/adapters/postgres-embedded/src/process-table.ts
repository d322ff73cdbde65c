import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process of this machine (of this PID namespace) with its arguments joined by blanks. */
export type ListedProcess = { readonly pid: number; readonly command: string };

// On Linux /proc answers without a `ps`, which slim containers lack. Only world-readable files of it are used:
// root in a container may lack CAP_SYS_PTRACE, and then `cwd` and `exe` of another user's process are closed to it.
const hasProc = process.platform === 'linux';

function ps(...args: readonly string[]): string {
  return spawnSync('ps', args, { encoding: 'utf8', env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' } }).stdout ?? '';
}

/** A file of /proc, or undefined when its process has ended or is hidden. */
function findProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The command line of a living process; a zombie, which nobody may have collected yet, counts as ended. */
export function findCommand(pid: number): string | undefined {
  const command = hasProc
    ? findProcFile(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
    : ps('-o', 'command=', '-p', String(pid)).trim();
  return command === '' ? undefined : command;
}

/** All living processes that this user may see. */
export function listProcesses(): readonly ListedProcess[] {
  if (!hasProc) {
    return ps('-axo', 'pid=,command=')
      .split('\n')
      .flatMap((line) => {
        const [, pid, command] = /^\s*(\d+) (.+)$/.exec(line) ?? [];
        return pid !== undefined && command !== undefined ? [{ pid: Number(pid), command }] : [];
      });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = findCommand(Number(name));
      return command === undefined ? [] : [{ pid: Number(name), command }];
    });
}
