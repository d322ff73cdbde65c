const WIDTH = 24;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** How far a transfer has come: a bar and a share where the size is known, else the bytes alone. */
export function formatTransfer(what: string, doneBytes: number, sizeBytes: number | undefined): string {
  if (sizeBytes === undefined || sizeBytes === 0) return `${what} ${formatBytes(doneBytes)}`;
  const share = Math.min(1, doneBytes / sizeBytes);
  const full = Math.floor(share * WIDTH);
  const bar = `${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}`;
  return `${what} [${bar}] ${Math.floor(share * 100)} % of ${formatBytes(sizeBytes)}`;
}

/** A count of bytes for people. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
