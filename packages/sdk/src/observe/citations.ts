import type { JsonObject } from '@answer-evidence/contracts';

/** A document as a vendor names it: what an answer cites, or what a search of the vendor found. */
export type Citation = {
  readonly type?: string;
  readonly title?: string | null;
  readonly document_title?: string | null;
  readonly filename?: string | null;
  readonly source?: string | null;
  readonly url?: string | null;
  readonly file_id?: string | null;
  readonly document_index?: number;
  /** Chat completions put it one level deeper. */
  readonly url_citation?: Citation;
};

/** Documents as the sources of an answer, each once. What is neither named nor addressed is left out. */
export function citedSources(citations: readonly Citation[]): { readonly source_refs?: JsonObject[] } {
  const refs = new Map<string, JsonObject>();
  for (const citation of citations) {
    const ref = toSourceRef(citation.url_citation ?? citation);
    if (ref !== undefined) refs.set(JSON.stringify(ref), ref);
  }
  return refs.size === 0 ? {} : { source_refs: [...refs.values()] };
}

function toSourceRef(citation: Citation): JsonObject | undefined {
  const { type, title, document_title: documentTitle, filename, source, url, file_id: id } = citation;
  // A file that the model made is no source.
  if (type === 'file_path') return undefined;
  const uri = withoutSecrets(url ?? source);
  const index = citation.document_index === undefined ? undefined : `document ${citation.document_index}`;
  const name = title || documentTitle || filename || uri || source || id || index;
  if (!name) return undefined;
  return {
    source_type: 'cited_document',
    source_name: name,
    ...(uri === undefined ? {} : { source_uri: uri }),
    ...(id ? { document_id: id } : {}),
  };
}

/** A URL without user, query and fragment, which may name a person; undefined for what is no URL. */
function withoutSecrets(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = url.password = url.search = url.hash = '';
  return url.href;
}
