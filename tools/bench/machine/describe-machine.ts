import { statfs } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** Where the figures were measured. */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly node: string;
  readonly postgres: string;
  /** False on a file system in memory: a commit then costs nothing, and no figure says anything about durability. */
  readonly onDisk: boolean;
};

// linux/magic.h
const TMPFS_MAGIC = 0x01021994;

/** Describes this machine; `dir` holds the database. */
export async function describeMachine(dir: string, postgres: string): Promise<Machine> {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres,
    onDisk: (await statfs(dir)).type !== TMPFS_MAGIC,
  };
}
