import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const MODULE = new URL('restore-fast-strings.ts', import.meta.url).href;

/** What V8 says in a process of its own of how `String.prototype` is stored. */
function run(program: string): readonly string[] {
  const script = `const isFast = () => %HasFastProperties(String.prototype); const said = []; ${program}; console.log(said.join());`;
  const options = ['--allow-natives-syntax', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  return execFileSync(process.execPath, [...options, '--eval', script], { encoding: 'utf8' })
    .trim()
    .split(',');
}

describe('methods of strings', () => {
  it('are fast again after a class that extends String, and stay so after another', () => {
    const said = run(`const { restoreFastStrings } = await import('${MODULE}');
      class Text extends String {} said.push(isFast());
      restoreFastStrings(); said.push(isFast());
      class Another extends String {} said.push(isFast());`);
    expect(said).toEqual(['false', 'true', 'true']);
  });
});
