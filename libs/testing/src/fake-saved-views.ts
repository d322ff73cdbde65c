import type { SavedViewStore, StoredView } from '@answer-evidence/ports';
import type { OfWorkspace } from './fake-store.ts';

/** A store of shared views in memory. */
export function savedViewsOver(): OfWorkspace<SavedViewStore> {
  const views = new Map<string, StoredView>();
  return {
    list: () => [...views.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    add(view, max) {
      if ([...views.values()].some(({ name }) => name === view.name)) return 'name_taken';
      if (views.size >= max) return 'limit_reached';
      views.set(view.id, view);
      return 'added';
    },
    remove: (viewId) => views.delete(viewId),
  };
}
