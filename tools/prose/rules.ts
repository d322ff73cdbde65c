/** What a line of prose or comment may be wide. */
export const COLUMNS_MAX = 120;

/** Files that nobody may rewrite (applied migrations, frozen artefacts, others' texts), and those that quote. */
export const FIXED_FILES =
  /\/migrations\/|\/frozen\/|(?:^|\/)LICENSE$|^CODE_OF_CONDUCT|^tools\/api\/published\/|^tools\/prose\/|^CONTRIBUTING\.md$/;

/** A phrase that a reader has to read twice, and what to write instead. */
type PhraseRule = { readonly phrase: RegExp; readonly instead: string };

/** Phrases that prose, comments and texts for users do not use. CONTRIBUTING.md, "Plain English", says why. */
export const PHRASE_RULES: readonly PhraseRule[] = [
  { phrase: /\bwhoever\b/i, instead: 'anyone who, or the caller' },
  { phrase: /\b(?:is|are|was|were) away\b/i, instead: 'is unavailable' },
  { phrase: /\b(?:requests?|jobs?|work|much) in hand\b/i, instead: 'in progress, or pending' },
  { phrase: /\bin hand now\b/i, instead: 'in progress, or pending' },
  { phrase: /\b(?:that|which|it|one|what|or) is none\b(?! of)/i, instead: 'is invalid, or is not one' },
  { phrase: /\b(?:large|bytes|body) undone\b/i, instead: 'decompressed' },
  { phrase: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { phrase: /\bhas this path\b/i, instead: 'no resource exists at this path' },
  { phrase: /\bthe way on after\b/i, instead: 'how to continue after' },
  {
    phrase:
      /\b(?:one|an) (?:[a-z-]+ )?(?:record|entry|file|row|item|object) an? (?:answer|record|log|member|line|request)\b/i,
    instead: 'per: one record per answer',
  },
  {
    phrase: /\b(?:outcome|check|request|response) an? (?:check|connection|span)\b/i,
    instead: 'per: one outcome per check',
  },
  { phrase: /\bonce an? (?:connection|request|process)\b/i, instead: 'once per connection' },
  { phrase: /\bdoes not fit its schema\b/i, instead: 'is invalid; see errors' },
  { phrase: /\bis not known here\b/i, instead: 'is an unknown field' },
  { phrase: /\bsend (?:it|the same request) again\b/i, instead: 'retry the same request' },
  {
    phrase:
      /\b(?:where|when) (?:this|the (?:pages?|units?|chart|recordings|checksums)) (?:page )?(?:is|are|was|were) (?:written|made)\b/i,
    instead: 'what is so, such as "not tested on a cluster", and not where it was written',
  },
  {
    phrase: /\bcould not be (?:installed|tried|reached|tested) (?:here|there|where)\b/i,
    instead: 'not tested, or not recorded',
  },
  { phrase: /\bhalf of a (?:character|surrogate pair)\b/i, instead: 'an unpaired surrogate' },
];

/** Names in code that do not use the words of the glossary, and what to write instead. */
export const NAME_RULES: readonly PhraseRule[] = [
  {
    phrase: /\b(?!\w*(?:OF|WITH|FOR|TO|IN)_AN?_)[A-Z]\w*_AN?_(?:BATCH|PIECE|READ|RUN|SECOND|STATEMENT)\b/,
    instead: '…_PER_…',
  },
  { phrase: /\b(?:[a-z]\w*I|i)s\w*Away\b|\bset\w*Away\b/, instead: 'isUnavailable, setUnavailable' },
  { phrase: /\b(?:[a-z]\w*I|i)s\w*Mended\b/, instead: 'isFixed' },
  { phrase: /\b(?:[A-Z]+_)*(?:WAY_ON|WHOEVER|UNDONE)\b/, instead: 'what it is, such as HOW_TO_CONTINUE' },
];
