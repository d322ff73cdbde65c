import type { Ticker, Workspace } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { formatWordIndex, isReadable } from '../words/word-index.ts';

const INTERVAL_MS = 10_000;
const SALT_BYTES = 16;

/**
 * Begins an index of words where the settings ask for one, and takes it away where they no longer do. With another hash
 * key of the workspace it is made again under another key of its own, and so is one whose row was altered.
 */
export function keepWordIndexesTicker(deps: IngestDeps): Ticker {
  /** The versions of settings that this process knows to ask for no index, where there is none. */
  const without = new Map<string, number>();
  return {
    name: 'keep-word-indexes',
    intervalMs: INTERVAL_MS,
    work: () => [{ kind: 'changed-settings' }],
    async run(signal) {
      for (const { workspace, version, hasWords } of await deps.work.withChangedSettings()) {
        if (signal.aborted) return;
        if (!hasWords && without.get(workspace.id) === version) continue;
        await keepIndex(deps, workspace, signal);
        if (!hasWords) without.set(workspace.id, version);
      }
    },
  };
}

async function keepIndex({ words, ...deps }: IngestDeps, { id, vault }: Workspace, signal: AbortSignal): Promise<void> {
  const { values } = await deps.readFreshSettings(id);
  const madeUnder = values.answer_audit_hash_key_id ?? '';
  const index = await words.find(id);
  const isWanted = values.answer_audit_word_search_enabled;
  const isGood = isWanted && isReadable(vault, index) && index.made_under === madeUnder;
  if (index !== undefined && !isGood)
    while (await words.drop(id)) {
      if (signal.aborted) return;
      await deps.turn();
    }
  if (!isWanted || isGood) return;
  const salt = deps.random.bytes(SALT_BYTES);
  await words.begin(id, formatWordIndex(vault, { salt, made_under: madeUnder, next_leaf: 0 }));
}
