import type { SavedViewStore, StoredView } from '@answer-evidence/ports';

/** Makes a store of shared views in memory. */
export function createFakeSavedViews(workspaceId: string): SavedViewStore {
  const views = new Map<string, StoredView>();
  return {
    list: (asked) =>
      Promise.resolve(
        asked === workspaceId ? [...views.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)) : [],
      ),
    add(_, view, max) {
      if ([...views.values()].some(({ name }) => name === view.name)) return Promise.resolve('name_taken');
      if (views.size >= max) return Promise.resolve('limit_reached');
      views.set(view.id, view);
      return Promise.resolve('added');
    },
    remove: (_, viewId) => Promise.resolve(views.delete(viewId)),
  };
}
