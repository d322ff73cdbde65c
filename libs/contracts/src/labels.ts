import * as z from 'zod';
import { externalId, nameText } from './primitives.ts';

/** Longest mode of a record, in UTF-16 code units. */
const MODE_LENGTH_MAX = 64;

/** The labels that every core has, null where a record has none. */
const firstLabels = {
  external_trace_id: externalId.optional(),
  external_message_id: externalId.optional(),
  mode: nameText(MODE_LENGTH_MAX).optional(),
  actor_id_hash: externalId.optional(),
  session_id_hash: externalId.optional(),
};

/** Labels that were added later: a core leaves out one that is null, so that older cores keep their bytes. */
const laterLabels = {};

/** Every label and its form in a request. */
export const labelForms = { ...firstLabels, ...laterLabels };
/** A name of a label: a text that a caller may put on a record, which is stored, committed to and shown as it came. */
export type RecordLabel = keyof typeof labelForms;
/** Every label, in the order in which requests, rows, records and exports have them. */
export const RECORD_LABELS = Object.keys(labelForms) as readonly RecordLabel[];

/** The labels of a request or a row, null where it has none. */
export function labelsOf(of: Labelled): Record<RecordLabel, string | null> {
  return mapLabels((label) => of[label] ?? null);
}

type Labelled = Readonly<Partial<Record<RecordLabel, string | null | undefined>>>;

/** An object with one member per label. */
export function mapLabels<Value>(valueOf: (label: RecordLabel) => Value): Record<RecordLabel, Value> {
  const mapped = {} as Record<RecordLabel, Value>;
  for (const label of RECORD_LABELS) mapped[label] = valueOf(label);
  return mapped;
}

/** Puts the labels of a request on a row: a spread of them within its literal costs a create twice as much. */
export function addLabels<Row extends object>(row: Row, of: Labelled): Row & Record<RecordLabel, string | null> {
  const labelled = row as Row & Record<RecordLabel, string | null>;
  const labels: Record<RecordLabel, string | null> = labelled;
  for (const label of RECORD_LABELS) labels[label] = of[label] ?? null;
  return labelled;
}

/** The labels as members of a record's core. */
export const labelCores = {
  ...mapNames(firstLabels, () => z.string().nullable()),
  ...mapNames(laterLabels, () => z.string().optional()),
};

function mapNames<Name extends string, Value>(
  forms: Readonly<Record<Name, unknown>>,
  valueOf: () => Value,
): Record<Name, Value> {
  return Object.fromEntries(Object.keys(forms).map((name) => [name, valueOf()])) as Record<Name, Value>;
}
