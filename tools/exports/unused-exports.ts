/** A file of TypeScript: its path from the root, and its text. */
type SourceFile = { readonly path: string; readonly text: string };

const EXPORTED = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm;
const WORDS = /[A-Za-z_$][\w$]*/g;

/**
 * Exports whose name stands in no other file, as `path: name`. Names are compared as words, so that this reads every
 * file once and needs no types; an export that only shares its name with something else is not found.
 */
export function findUnusedExports(files: readonly SourceFile[]): readonly string[] {
  const users = new Map<string, number>();
  for (const { text } of files)
    for (const word of new Set(text.match(WORDS))) users.set(word, (users.get(word) ?? 0) + 1);
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED)].flatMap(([, name = '']) => (users.get(name) === 1 ? [`${path}: ${name}`] : [])),
  );
}
