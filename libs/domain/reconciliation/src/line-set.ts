import type { LineSet } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { appendLeaves, EMPTY_ROOT, type Frontier, leafHash } from '@answer-evidence/merkle';

/** Lines that are hashed together; the tree is grown by this many at a time. */
const LINES_AT_ONCE = 256;

/**
 * The root (RFC 9162) over lines in the order in which they are added. Each line is a leaf, as UTF-8 bytes without a
 * line feed. No line is kept, so a set may be of any size. The root of no lines is SHA-256 of nothing.
 */
export function createLineSet(): { add(line: string): void; finish(): LineSet } {
  let size = 0;
  let frontier: Frontier = [];
  let root = EMPTY_ROOT;
  let waiting: Uint8Array[] = [];
  const grow = () => {
    ({ size, frontier, root } = appendLeaves(size, frontier, waiting));
    waiting = [];
  };
  return {
    add(line) {
      waiting.push(leafHash(line));
      if (waiting.length === LINES_AT_ONCE) grow();
    },
    finish() {
      if (waiting.length > 0) grow();
      return { size, root: formatHex(root) };
    },
  };
}

/** Root and size of all lines at once. */
export function lineSetOf(lines: Iterable<string>): LineSet {
  const set = createLineSet();
  for (const line of lines) set.add(line);
  return set.finish();
}
