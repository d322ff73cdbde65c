import { ENVIRONMENT_DEFAULT } from '@answer-evidence/contracts';
import {
  type Condition,
  CONTENT_RULES,
  type ContentRule,
  DATA_SOURCE_KEY,
  DOCUMENT_RULES,
  EVALUATION_RULES,
  FIELD_RULES,
  MAPPING_VERSION,
  METADATA_RULES,
  MODEL_CALLS,
  MODEL_RULES,
  NAMED_ID_RULES,
  STATE_RULES,
  TOOL_RULES,
} from '@answer-evidence/otlp-mapping';
import { formatTable } from './format-table.ts';
import { wrap } from './wrap.ts';

const FORMS: Readonly<Record<ContentRule['form'], string>> = {
  text: 'text, as it is',
  hash: '`sha256:` and 64 hex digits',
  messages: 'messages with parts, structured or as a JSON string',
  messages_or_text: 'messages, structured or as a JSON string, or a text',
  string: 'text, as it is',
  printed: 'text, as it is, if it does not show an object of Python',
  state: 'JSON state of a framework: the text at a named place',
  indexed: 'messages, flattened',
  flow: 'JSON of the components of a flow: what a person and the flow said',
  keyed: 'messages by their authors, in JSON, a text, or a state',
};

const code = (text: string): string => `\`${text}\``;
const codes = (keys: readonly string[]): string => keys.map(code).join(', then ');

/** Why a row may not count, each once, in the order of the rows. */
const conditions = [...new Set(CONTENT_RULES.flatMap(formatConditions))];
const letter = (n: number): string => (n < 26 ? '' : 'a') + String.fromCodePoint(0x61 + (n % 26));

/** docs/otlp-mapping.md: the tables, from the data that the mapping works by. */
export function formatMapping(): string {
  return `# What is read of OpenTelemetry

<!-- Made from libs/domain/otlp-mapping/src/dialects/ by \`npm run docs:generate\`. Do not edit. -->

Version ${MAPPING_VERSION} of the mapping. The service reads the attributes in these tables and nothing else; each
version of the tables is fixed. In a log record, an attribute may also be a member of the body.
[OpenTelemetry](otlp.md#what-is-read) says how they are used, and [\`otel explain\`](otlp.md#explaining-a-request) what
they make of a request.

- [Question and answer](#question-and-answer)
- [The state of a framework](#the-state-of-a-framework)
- [Other fields](#other-fields)
- [Documents](#documents)
- [Tools](#tools)
- [Models and evaluations](#models-and-evaluations)

## Question and answer

The first row of this table that yields a text or hash provides the question:

${formatContent('question')}

The first row of this table that does provides the answer:

${formatContent('answer')}

A row is skipped if

${conditions.map((condition, n) => wrap(`- ${letter(n)}: ${condition}`, '  ')).join('\n')}

## The state of a framework

In the JSON state of a framework, the text is in the first of these places that there is: a list of messages, whose last
message of a user is the question and whose end, if a model wrote it and asks for no tool, is the answer; the only
argument of a function; a member of these names; of a question the only member. Members may nest.

${formatTable(['text', 'members, in their order'], formatStates())}

If a state names no answer, the answer is that of the last model call below the span, and without a question of the
span's own the question is that call's. A model call is a span of which one of these holds:

${formatCalls()}

## Other fields

${formatTable(['field', 'from', 'of the'], formatFields())}

## Documents

Source refs, if \`service.audit.source_refs\` is absent:

${formatTable(['convention', 'documents in', '`document_id`', '`score`', '`source_hash`, of', 'metadata', 'query'], formatDocuments())}

The metadata of a document, in JSON, gives the first of these members that it has. Of an address, the service leaves out
a user name and password, the query and the fragment. Without a name, \`source_name\` is the id.

${formatTable(['member', 'from the metadata'], formatMetadata())}

\`data_source_id\` is ${code(DATA_SOURCE_KEY)}.

The query of a retrieval is stored only as the question of a prompt that contains it.

## Tools

A tool call has the ref type \`tool_call\`, the tool's \`name\`, the
\`arguments_hash\` and a \`step\`: \`requested\`, in a message of the model, since the user's last message; or
\`executed\`, by a span of the table below. The hash is the SHA-256 of the arguments, as canonical JSON (RFC 8785) where
they are JSON. The arguments and the results are not stored.

${formatTable(['convention', 'a tool ran where', '`name`', '`arguments_hash`, of'], formatTools())}

## Models and evaluations

The other semantic refs, if \`service.audit.semantic_refs\` is absent:

${formatTable(['`ref_type`', 'member', 'from'], formatSemantics())}
`;
}

function formatContent(to: ContentRule['to']): string {
  const rows = CONTENT_RULES.filter((rule) => rule.to === to).map((rule) => [
    rule.convention,
    code(rule.key),
    rule.event === null ? 'span, log record' : `event ${code(rule.event)}`,
    FORMS[rule.form],
    formatConditions(rule)
      .map((condition) => letter(conditions.indexOf(condition)))
      .join(', '),
  ]);
  return formatTable(['convention', 'attribute', 'of', 'read as', 'skipped if'], rows);
}

function formatConditions({
  unless,
  unlessPrefixes = [],
  unlessAsking = [],
  onlyPrefix,
}: ContentRule): readonly string[] {
  return [
    ...unless.map(formatCondition),
    ...unlessPrefixes.map((prefix) => `an attribute begins with ${code(prefix)}`),
    ...unlessAsking.map((prefix) => `the messages of ${code(`${prefix}N.message`)} end with the request of a tool`),
    ...(onlyPrefix === undefined ? [] : [`no attribute begins with ${code(onlyPrefix)}`]),
  ];
}

function formatCondition({ key, values, except }: Condition): string {
  const unless = except === undefined ? '' : `, unless ${formatCondition(except)}`;
  return `${code(key)} is ${values.map(code).join(', ')}${unless}`;
}

function formatStates(): readonly (readonly string[])[] {
  return Object.entries(STATE_RULES).map(([to, names]) => [to, names.map(code).join(', ')]);
}

function formatCalls(): string {
  return MODEL_CALLS.map((call) => wrap(`- ${formatCondition(call)}`, '  ')).join('\n');
}

function formatFields(): readonly (readonly string[])[] {
  const fallbacks: Readonly<Record<string, string>> = {
    environment: `, else \`${ENVIRONMENT_DEFAULT}\``,
    idempotency_key: ', else `otlp:<trace id>:<span id>`',
  };
  const rows = Object.entries(FIELD_RULES).map(([field, { on, keys }]) => {
    return [code(field), codes(keys) + (fallbacks[field] ?? ''), on === 'resource' ? 'resource' : 'span, log record'];
  });
  const hashed = Object.entries(NAMED_ID_RULES).map(([kind, keys]) => {
    return [`${code(`${kind}_id_hash`)}, hashed where the workspace wants that`, codes(keys), 'span, log record'];
  });
  return [...rows, ...hashed, [code('external_trace_id'), 'the trace id', 'span, log record']];
}

function formatDocuments(): readonly (readonly string[])[] {
  return DOCUMENT_RULES.map(({ convention, form, key, when, having, id, score, content, metadata = [], query }) => {
    const where = { list: code(key), indexed: code(`${key}N.…`), event: `span event ${code(key)}` }[form];
    const members = having === undefined ? '' : `, of items with ${having.map(code).join(' or ')}`;
    const only = when === undefined ? members : `, if ${formatCondition(when)}`;
    return [
      convention,
      where + only,
      codes(id),
      codes(score),
      codes(content),
      codes(metadata),
      query === undefined ? '' : code(query),
    ];
  });
}

function formatMetadata(): readonly (readonly string[])[] {
  const members = { name: 'source_name', uri: 'source_uri', score: 'score, where the document has none' };
  return Object.entries(METADATA_RULES).map(([member, keys]) => [
    members[member as keyof typeof members].replace(/^\w+/, code),
    codes(keys),
  ]);
}

function formatTools(): readonly (readonly string[])[] {
  return TOOL_RULES.map(({ convention, when, name, args }) => {
    return [convention, formatCondition(when), name.length === 0 ? 'the span name' : codes(name), codes(args)];
  });
}

function formatSemantics(): readonly (readonly string[])[] {
  const { event, ...members } = EVALUATION_RULES;
  return [
    ...Object.entries(MODEL_RULES).map(([member, keys]) => ['`model`', code(member), codes(keys)]),
    ...Object.entries(members).map(([member, key]) => {
      return ['`evaluation`', code(member), `${code(key)} of the event ${code(event)}`];
    }),
  ];
}
