import { readFile } from 'node:fs/promises';

/** Resident memory of a process, as Linux says it. */
export async function readResident(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('this system does not say how much memory a process takes');
  return Number(kilobytes) * 1024;
}
