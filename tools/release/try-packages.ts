import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/**
 * Installs the tarballs as a user does, into an empty project outside of the repository, and imports every entry of
 * each. `publint` and `attw` look at what bundlers and TypeScript would make of them. Returns the project.
 */
export async function tryPackages(root: string, out: string, work: string, files: readonly string[]): Promise<string> {
  const tarballs = files.filter((name) => name.endsWith('.tgz')).map((name) => join(out, name));
  for (const tarball of tarballs) {
    await run(join(root, 'node_modules/.bin/publint'), ['run', tarball, '--strict']);
    // They are ES modules alone, as their README says: that `require` refuses them is no fault.
    await run(join(root, 'node_modules/.bin/attw'), [tarball, '--ignore-rules', 'cjs-resolves-to-esm', '--quiet']);
  }
  const project = join(work, 'project');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...tarballs], {
    cwd: project,
  });
  const entries: string[] = [];
  for (const name of ['otel', 'sdk', 'verify']) {
    const folder = join(project, 'node_modules/@answer-evidence', name);
    const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, unknown>>;
    };
    for (const entry of Object.keys(exports))
      if (entry !== './package.json') entries.push(`@answer-evidence/${name}${entry.slice(1)}`);
  }
  const program = `for (const entry of ${JSON.stringify(entries)}) await import(entry);`;
  await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
  return project;
}
