import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { V8_FLAGS } from './flags.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const NAMES = V8_FLAGS.map((flag) => flag.replace(/=.*$/, ''));
/** Parts that say how a program starts; documentation may name a flag. */
const STARTS = /\.(?:ts|mjs|json|service|ya?ml|sh|conf|tpl)$|(?:^|\/)(?:Dockerfile|Procfile)|^\.ci\//;

/** The places that cannot import the flags, and the lines there that start a service. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  'package.json': /"(?:start|demo)":/,
  'deploy/systemd/answer-evidence.service': /^ExecStart=/,
};

describe('the flags of V8', () => {
  it.each(Object.entries(WRITTEN))('are the same in %s, in every line that starts a service', (path, starts) => {
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
    const starting = lines.filter((line) => starts.test(line.trim()));
    expect(starting).not.toEqual([]);
    for (const line of starting) expect(line).toContain(` ${V8_FLAGS.join(' ')} `);
    expect(lines.filter(namesFlag)).toEqual(starting);
  });

  it('are in no other file', () => {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).split('\0');
    const starting = listed.filter((path) => STARTS.test(path) && existsSync(join(ROOT, path)));
    const naming = starting.filter((path) => namesFlag(readFileSync(join(ROOT, path), 'utf8')));
    expect(naming.toSorted()).toEqual([...Object.keys(WRITTEN), 'libs/runtime/src/v8/flags.ts'].toSorted());
  });
});

function namesFlag(text: string): boolean {
  return NAMES.some((name) => text.includes(name));
}
