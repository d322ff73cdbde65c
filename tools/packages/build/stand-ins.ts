/**
 * Names that declarations have from the platform, and what each is where a project has neither the types of Node nor
 * those of browsers. Where it has them, the name is theirs.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  Headers: '{ get(name: string): string | null; has(name: string): boolean }',
  URL: '{ readonly href: string }',
};
const FETCH = '(input: string, init?: object) => Promise<unknown>';

/** The declarations of a file, which name nothing that a project without types of a platform does not have. */
export function standIn(text: string): string {
  // Comments name them as well.
  const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const lines = Object.entries(STAND_INS)
    .filter(([name]) => new RegExp(String.raw`\b${name}\b`).test(code))
    .map(
      ([name, type]) => `type ${name} = typeof globalThis extends { ${name}: { prototype: infer T } } ? T : ${type};\n`,
    );
  if (/\btypeof fetch\b/.test(code))
    lines.push(`type Fetch = typeof globalThis extends { fetch: infer T } ? T : ${FETCH};\n`);
  return lines.join('') + text.replace(/\btypeof fetch\b/g, 'Fetch');
}
