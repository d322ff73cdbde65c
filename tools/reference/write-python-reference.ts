import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What applications import. */
const MODULES = ['', '.langchain', '.llama_index', '.otel', '.verify'].map((name) => `answer_evidence${name}`);

/**
 * Writes the pages of the Python package into a folder, by a Python that has pdoc and what the package integrates.
 * Rejects with what pdoc wrote.
 */
export async function writePythonReference(root: string, python: string, out: string): Promise<void> {
  const PYTHONPATH = join(root, 'packages/python/src');
  // Bytecode is kept where the environment says, and never beside the sources.
  const isKept = process.env['PYTHONPYCACHEPREFIX'] !== undefined;
  const args = [...(isKept ? [] : ['-B']), '-m', 'pdoc', '--output-directory', out, ...MODULES];
  try {
    await promisify(execFile)(python, args, { env: { ...process.env, PYTHONPATH } });
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new Error(stderr.trim() === '' ? String(cause) : stderr.trim(), { cause });
  }
}
