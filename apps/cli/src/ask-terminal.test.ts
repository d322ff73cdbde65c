import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { askTerminal } from './ask-terminal.ts';

function createTerminal() {
  const keys = new EventEmitter();
  const modes: boolean[] = [];
  let shown = '';
  const terminal = {
    input: {
      setRawMode: (on: boolean) => modes.push(on),
      setEncoding: () => undefined,
      on: (_: 'data', listener: (text: string) => void) => keys.on('data', listener),
      off: (_: 'data', listener: (text: string) => void) => keys.off('data', listener),
      resume: () => undefined,
      pause: () => undefined,
    },
    output: { write: (text: string) => (shown += text) },
  };
  const ask = (hidden: boolean) => askTerminal('? ', hidden, terminal);
  const type = (...chunks: readonly string[]) => chunks.forEach((chunk) => keys.emit('data', chunk));
  return { ask, type, modes, shown: () => shown, listeners: () => keys.listenerCount('data') };
}

describe('askTerminal', () => {
  it('shows nothing of what is hidden, not even its length, and puts the terminal back', async () => {
    const { ask, listeners, modes, shown, type } = createTerminal();
    const asked = ask(true);
    type('pass', 'word', ' 12\u007f2', '\r');
    expect(await asked).toBe('password 12');
    expect([shown(), modes, listeners()]).toEqual(['? \n', [true, false], 0]);
  });

  it('echoes what is not hidden, with corrections', async () => {
    const { ask, shown, type } = createTerminal();
    const asked = ask(false);
    type('am', '\b', 'nna\n');
    expect(await asked).toBe('anna');
    expect(shown()).toBe('? am\b \bnna\n');
  });

  it('takes characters whole, leaves keys out that are none, and clears a line', async () => {
    const { ask, type } = createTerminal();
    const asked = ask(true);
    type('typed wrongly\u0015', '🔑é\u007f', '\u001b[A', '\u001b[1;5C', 'x\t', '\u0004');
    expect(await asked).toBe('🔑x');
  });

  it('puts the terminal back when the person gives up', async () => {
    const { ask, listeners, modes, type } = createTerminal();
    const asked = ask(true);
    type('half a pass', '\u0003');
    await expect(asked).rejects.toThrow('interrupted');
    expect([modes, listeners()]).toEqual([[true, false], 0]);
  });
});
