import type { HeadFiles } from '@answer-evidence/ports';

/** Files in a map, which stands for the place outside of the database; another on the same map sees them. */
export function createFakeHeadFiles(kept: Map<string, string> = new Map<string, string>()): HeadFiles {
  const namesIn = (folder: string): readonly string[] => {
    const prefix = folder === '' ? '' : `${folder}/`;
    return [...kept.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  };
  return {
    place: 'memory',
    list: (folder) =>
      Promise.resolve(
        namesIn(folder)
          .filter((name) => !name.includes('/'))
          .sort(),
      ),
    folders: () =>
      Promise.resolve(
        [...new Set(namesIn('').flatMap((name) => (name.includes('/') ? [name.split('/')[0] ?? ''] : [])))].sort(),
      ),
    read: (name) => {
      const content = kept.get(name);
      return Promise.resolve(content === undefined ? undefined : new TextEncoder().encode(content));
    },
    write(name, content) {
      if (!kept.has(name)) kept.set(name, content);
      return Promise.resolve();
    },
    delete(name) {
      kept.delete(name);
      return Promise.resolve();
    },
  };
}
