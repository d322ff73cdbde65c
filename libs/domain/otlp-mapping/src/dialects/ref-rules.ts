/** Members of a document's metadata, as the loaders of LangChain, LlamaIndex, Haystack and MLflow name them. */
export const METADATA_RULES = {
  name: ['title', 'file_name', 'filename', 'source', 'file_path', 'doc_uri', 'url', 'uri', 'name'],
  uri: ['url', 'uri', 'source_url', 'doc_uri', 'link', 'file_path', 'source'],
  score: ['score', 'relevance_score'],
} as const;

/** The store that documents came from. */
export const DATA_SOURCE_KEY = 'gen_ai.data_source.id';

/** The event that evaluates an answer, and what is taken from it. Its free-text explanation is not taken. */
export const EVALUATION_RULES = {
  event: 'gen_ai.evaluation.result',
  name: 'gen_ai.evaluation.name',
  score_value: 'gen_ai.evaluation.score.value',
  score_label: 'gen_ai.evaluation.score.label',
  response_id: 'gen_ai.response.id',
} as const;
