import { UsageError } from './usage-error.ts';

/** What a terminal in raw mode sends, and where what is asked is written. */
type Terminal = {
  readonly input: {
    setRawMode(on: boolean): unknown;
    setEncoding(encoding: 'utf8'): unknown;
    on(event: 'data', listener: (text: string) => void): unknown;
    off(event: 'data', listener: (text: string) => void): unknown;
    resume(): unknown;
    pause(): unknown;
  };
  readonly output: { write(text: string): unknown };
};

const INTERRUPT = '\u0003';
const END = '\u0004';
const BACKSPACES = ['\u007f', '\b'];
const CLEAR_LINE = '\u0015';
const ESCAPE = '\u001b';
const KEY_SEQUENCES = new RegExp(`${ESCAPE}(\\[[0-9;?]*[ -/]*[@-~]|O.|.)?`, 'g');

/**
 * Asks for a line on the terminal, and restores the terminal afterwards. Of a `hidden` line nothing is shown, not even
 * its length. Throws `UsageError` if the person gives up.
 */
export function askTerminal(
  prompt: string,
  hidden: boolean,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const { input, output } = terminal;
  output.write(prompt);
  input.setEncoding('utf8');
  // Raw, also when it is shown: the terminal's own editing would echo a line that a paste had begun before the prompt.
  input.setRawMode(true);
  input.resume();
  return new Promise((resolve, reject) => {
    let line: string[] = [];
    function end(): void {
      input.off('data', take);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
    }
    function take(text: string): void {
      // Keys such as arrows send sequences; a password holds none of them.
      for (const character of text.replace(KEY_SEQUENCES, '')) {
        if (character === '\r' || character === '\n' || character === END) {
          end();
          return resolve(line.join(''));
        }
        if (character === INTERRUPT) {
          end();
          return reject(new UsageError('interrupted; nothing was done'));
        }
        if (BACKSPACES.includes(character)) {
          if (line.pop() !== undefined && !hidden) output.write('\b \b');
        } else if (character === CLEAR_LINE) {
          if (!hidden) output.write('\b \b'.repeat(line.length));
          line = [];
        } else if (!/\p{Cc}/u.test(character)) {
          line.push(character);
          if (!hidden) output.write(character);
        }
      }
    }
    input.on('data', take);
  });
}
