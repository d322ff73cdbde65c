import { HELD_FROM } from '@answer-evidence/lifecycle';

/** What of a table is due, and when it is looked at next. `retentionEnd` is when a row is due without anything else. */
export function createFakeDues<Row extends { readonly due_at: number }>(
  all: () => Row[],
  idOf: (row: Row) => string,
  retentionEnd: (row: Row) => number,
  isKept: (row: Row) => boolean = () => true,
) {
  function change(isMeant: (row: Row) => boolean, dueAt: (row: Row) => number): void {
    for (const [n, row] of all().entries()) if (isMeant(row)) all()[n] = { ...row, due_at: dueAt(row) };
  }
  const putOnHold = (ids: readonly string[], dueAt: number) =>
    change(
      (row) => ids.includes(idOf(row)) && row.due_at < dueAt,
      () => dueAt,
    );
  return {
    findDue(nowMicros: number, after: { readonly dueAt: number; readonly id: string } | undefined, limit: number) {
      return all()
        .filter((row) => row.due_at < nowMicros)
        .toSorted((a, b) => a.due_at - b.due_at || (idOf(a) < idOf(b) ? -1 : 1))
        .filter(
          (row) =>
            after === undefined || row.due_at > after.dueAt || (row.due_at === after.dueAt && idOf(row) > after.id),
        )
        .slice(0, limit);
    },
    countDue: (from: number, before: number, limit: number) =>
      Math.min(all().filter((row) => row.due_at >= from && row.due_at < before && isKept(row)).length, limit),
    countKept: () => all().filter(isKept).length,
    postpone: (id: string, dueAt: number) => putOnHold([id], dueAt),
    putOnHold,
    takeOffHold(heldUntil: number, limit: number) {
      const held = all().filter((row) => row.due_at >= HELD_FROM && row.due_at < heldUntil);
      const taken = new Set(held.slice(0, limit));
      change((row) => taken.has(row), retentionEnd);
      return taken.size;
    },
  };
}
