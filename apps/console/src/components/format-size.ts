const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** A size in bytes as people of a language read it, such as "1.5 MB". */
export function formatSize(sizeBytes: number, language: string): string {
  let size = sizeBytes;
  let at = 0;
  while (size >= STEP && at < UNITS.length - 1) {
    size /= STEP;
    at++;
  }
  const [unit, unitDisplay] = [UNITS[at], at === 0 ? 'long' : 'short'] as const;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(size);
}
