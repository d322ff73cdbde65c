import type { WordIndexState } from '@answer-evidence/contracts';
import { getWordIndex } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { isReadable } from '../../words/word-index.ts';

/** `GET /api/search/words`: whether words of texts are searched for, and how far they are indexed. */
export function getWordIndexRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...getWordIndex,
    async handle({ caller }) {
      const { workspaceId } = caller;
      const { vault } = await deps.directory.get(workspaceId);
      const [{ values }, index, { head }] = await Promise.all([
        deps.readFreshSettings(workspaceId),
        deps.words.find(workspaceId),
        deps.logs.snapshot(workspaceId),
      ]);
      const entries = head.tree_size;
      const isOn = values.answer_audit_word_search_enabled;
      if (!isOn) return reply({ state: index === undefined ? 'off' : 'ending', indexed_entries: 0, entries });
      if (!isReadable(vault, index)) return reply({ state: 'building', indexed_entries: 0, entries });
      const isBehind = await deps.words.isBehind(workspaceId, index.next_leaf);
      const indexed = Math.min(index.next_leaf, entries);
      return reply({ state: isBehind ? 'building' : 'ready', indexed_entries: isBehind ? indexed : entries, entries });
    },
  });
}

function reply(body: WordIndexState) {
  return { status: 200, body } as const;
}
