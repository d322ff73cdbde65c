type Schema = { readonly type?: string; readonly $ref?: string };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};
type Operation = {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
};
type Description = {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options'];

/** Writes the description of the API as a page: every operation by topic, with what it takes and how it responds. */
export function formatApiPage(text: string): string {
  const { info, paths, components } = JSON.parse(text) as Description;
  const topics = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!METHODS.includes(method)) continue;
      const topic = operation.tags?.[0] ?? 'Other';
      const own = topics.get(topic) ?? [];
      own.push(formatOperation(`${method.toUpperCase()} ${path}`, operation, components?.parameters ?? {}));
      topics.set(topic, own);
    }
  return [
    '# Operations of the API',
    `Version ${info.version}. [The description](/openapi.json){target="_self"} is OpenAPI; a running service has it at`,
    '`/api/openapi.json`, with a page to try it at `/api/docs`. [The guide](/api-guide.md) shows how to use it.',
    ...[...topics].flatMap(([topic, operations]) => [`\n## ${topic}`, ...operations]),
  ].join('\n');
}

function formatOperation(
  name: string,
  { summary = '', description = '', parameters = [], requestBody, responses = {} }: Operation,
  shared: Readonly<Record<string, Parameter>>,
): string {
  const taken = parameters.map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one));
  const rows = taken.flatMap((one) =>
    one === undefined
      ? []
      : [
          `| \`${one.name}\` | ${one.in}${one.required === true ? ', required' : ''} | ${cell(one.description ?? '')} |`,
        ],
  );
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => {
    const named = schema?.$ref?.split('/').at(-1);
    return `\`${type}\`${named === undefined ? '' : ` (${named})`}`;
  });
  return [
    `\n### \`${name}\``,
    '',
    summary,
    ...(description === '' || description === summary ? [] : ['', description]),
    ...(rows.length === 0 ? [] : ['', '| parameter | in | what it is |', '| --- | --- | --- |', ...rows]),
    ...(body.length === 0 ? [] : ['', `Takes ${body.join(', ')}.`]),
    '',
    `Responds ${Object.keys(responses)
      .map((status) => `\`${status}\``)
      .join(', ')}.`,
  ].join('\n');
}

function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
