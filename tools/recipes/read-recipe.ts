/** What a recipe of CONTRIBUTING.md says to edit. */
type Recipe = {
  /** The files of the numbered steps that always apply. */
  readonly always: readonly string[];
  /** Those of the steps that only some additions need. */
  readonly perhaps: readonly string[];
  /** The commit that did it here. */
  readonly commit: string | undefined;
};

/** A path from the root, of a file or, with a slash at the end, of a folder. */
const PATH = /`((?:libs|apps|packages|tools|e2e|docs)\/[\w./<>-]+)`/g;

/** Reads the recipe under a heading. Throws where there is none. */
export function readRecipe(contributing: string, heading: string): Recipe {
  const section = contributing.split(/^### /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no recipe "${heading}"`);
  const [always = '', perhaps = ''] = section.split(/^Edit these as well/m);
  const pathsOf = (text: string) => [...text.matchAll(PATH)].map(([, path = '']) => path);
  return {
    always: pathsOf(always),
    perhaps: pathsOf(perhaps),
    commit: /^As in ([0-9a-f]{8})\b/m.exec(section)?.[1] ?? /^As in ([0-9a-f]{8}), which/m.exec(section)?.[1],
  };
}

/** Whether a recipe names a file, or the folder that it is in. */
export function names(paths: readonly string[], file: string): boolean {
  return paths.some((path) => path === file || (path.endsWith('/') && file.startsWith(path)));
}
