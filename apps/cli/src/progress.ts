import type { Io } from './io.ts';
import { formatTerminalText } from './output/terminal-text.ts';

/** How far long work has come, on standard error. */
type Progress = { update(text: string): void; end(): void };

const FIRST_LINE_MS = 1_000;

/** Progress: one line that is rewritten on a terminal; elsewhere a line a second, and none in the first second. */
export function createProgress(io: Io): Progress {
  const { stderr } = io;
  let lastMs = io.elapsedMs();
  let isOpen = false;
  return {
    update(text) {
      const line = formatTerminalText(text);
      if (stderr.isTerminal) {
        stderr.write(`\r\u001b[2K${line}`);
        isOpen = true;
      } else if (io.elapsedMs() - lastMs >= FIRST_LINE_MS) {
        stderr.write(`${line}\n`);
        lastMs = io.elapsedMs();
      }
    },
    end() {
      if (isOpen) stderr.write('\r\u001b[2K');
      isOpen = false;
    },
  };
}
