import * as z from 'zod';
import { parseJsonText } from '@answer-evidence/encoding';
import { FILTER_NAMES } from './filters.ts';

const savedViews = z.array(z.object({ name: z.string().max(100), search: z.record(z.string(), z.string()) }));
/** Filters under a name. They hold keys and dates, and no text of a record. */
export type SavedView = { readonly name: string; readonly search: Readonly<Record<string, string>> };

/** Where a browser keeps texts by name. */
type Store = { getItem(name: string): string | null; setItem(name: string, value: string): void };

const nameOf = (workspaceId: string) => `answer-evidence.views.${workspaceId}`;

/** The views that this browser kept for a workspace; none where what it kept cannot be read. */
export function readViews(store: Store, workspaceId: string): readonly SavedView[] {
  try {
    const read = savedViews.safeParse(parseJsonText(store.getItem(nameOf(workspaceId)) ?? '[]'));
    return read.success ? read.data.map(onlyFilters) : [];
  } catch {
    return [];
  }
}

/** Keeps the views of a workspace in this browser. */
export function keepViews(store: Store, workspaceId: string, views: readonly SavedView[]): void {
  store.setItem(nameOf(workspaceId), JSON.stringify(views.map(onlyFilters)));
}

function onlyFilters({ name, search }: SavedView): SavedView {
  const known = FILTER_NAMES.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]] as const]));
  return { name, search: Object.fromEntries(known) };
}
