import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What applications import. */
const MODULES = ['', '.langchain', '.llama_index', '.otel', '.verify'].map((name) => `answer_evidence${name}`);

/**
 * Writes the pages of the Python package into a folder, by a Python that has pdoc and what the package integrates.
 * Bytecode is kept in `compiled`, and never beside the sources. Rejects with what pdoc wrote.
 */
export async function writePythonReference(
  root: string,
  python: string,
  out: string,
  compiled?: string,
): Promise<void> {
  const PYTHONPATH = join(root, 'packages/python/src');
  const kept = compiled === undefined ? {} : { PYTHONPYCACHEPREFIX: compiled };
  const args = [...(compiled === undefined ? ['-B'] : []), '-m', 'pdoc', '--output-directory', out, ...MODULES];
  try {
    await promisify(execFile)(python, args, { env: { ...process.env, ...kept, PYTHONPATH } });
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new Error(stderr.trim() === '' ? String(cause) : stderr.trim(), { cause });
  }
}
