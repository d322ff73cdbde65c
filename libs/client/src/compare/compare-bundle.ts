import type { CreatePackRequest } from '@answer-evidence/contracts';
import { memberOf, parseJsonText, readOr } from '@answer-evidence/encoding';
import { below, compareEntry, type Differences, differencesOf } from './differences.ts';

/** What is read of a bundle here. Everything else in it is for a verifier to judge. */
export type ComparedBundle = {
  readonly format: string;
  readonly record: { readonly entry: string; readonly proof: string; readonly core: { readonly id: string } };
};

/** A bundle with the id of the record that it was asked for. */
export function compareBundle(id: string, { record }: Pick<ComparedBundle, 'record'>): Differences {
  const of = id.toLowerCase();
  const entry = compareEntry(record.entry, { id: of, subject: of, type: 'answer_recorded' });
  return [...differencesOf({ '/record/core/id': [of, record.core.id] }), ...entry.map(() => '/record/entry')];
}

const OPENING = '<script type="application/json" id="bundle-';
const PART = /^\d{1,9}">([^<]*)<\/script>/;
const WITHHELD = 'answer-evidence-bundle/v2';

/** The bundles of an evidence pack with the records that it was asked for, in their order. */
export function comparePack({ answer_log_ids: ids, texts }: CreatePackRequest, page: Uint8Array): Differences {
  const [, ...parts] = new TextDecoder().decode(page).split(OPENING);
  const bundles = parts.flatMap((part) => PART.exec(part)?.slice(1) ?? []).map(readBundle);
  if (bundles.length !== ids.length) return ['/bundles'];
  return bundles.flatMap((bundle, n) => {
    if (bundle === undefined) return [`/bundles/${n}`];
    const format = differencesOf({ '/format': [texts === 'withheld', bundle.format === WITHHELD] });
    return below(`/bundles/${n}`, [...format, ...compareBundle(ids[n] ?? '', bundle)]);
  });
}

function readBundle(text: string): ComparedBundle | undefined {
  const value = readOr(() => parseJsonText(text), undefined);
  const [format, record] = [memberOf(value, 'format'), memberOf(value, 'record')];
  const [entry, id] = [memberOf(record, 'entry'), memberOf(memberOf(record, 'core'), 'id')];
  const proof = '';
  const isBundle = typeof format === 'string' && typeof entry === 'string' && typeof id === 'string';
  return isBundle ? { format, record: { entry, proof, core: { id } } } : undefined;
}
