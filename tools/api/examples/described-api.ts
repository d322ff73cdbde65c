import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** An object of the OpenAPI document. */
export type Node = { readonly [key: string]: any };

/** One operation of the document, with its references resolved. */
export type Operation = {
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** Whether it refuses as another specification says, in JSON that is no problem. */
  readonly hasOwnRefusals: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Node;
  }[];
  readonly body: { readonly required: boolean; readonly schema: Node } | undefined;
  /** What is wrong with an answer, by the document alone. */
  findFault(status: number, mediaType: string | undefined, body: unknown): string | undefined;
};

/** The operations that an OpenAPI document describes. */
export function readOperations(document: Node): readonly Operation[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (ref: string): ValidateFunction => {
    const known = validators.get(ref) ?? ajv.compile({ $ref: `api${ref}` });
    validators.set(ref, known);
    return known;
  };
  return Object.entries(document['paths'] as Node).flatMap(([path, item]) =>
    Object.entries(item as Node).map(([method, operation]) => {
      const op = operation as Node;
      const content: Node = op['requestBody']?.content ?? {};
      return {
        name: `${method.toUpperCase()} ${path}`,
        operationId: op['operationId'] as string,
        method: method.toUpperCase(),
        path,
        isPublic: op['security']?.length === 0,
        hasOwnRefusals: resolve(document, op['responses']['400'] ?? {})['content']?.['application/json'] !== undefined,
        parameters: (op['parameters'] as Node[]).map((parameter) => resolve(document, parameter)) as any,
        body:
          content['application/json'] === undefined
            ? undefined
            : { required: op['requestBody'].required, schema: content['application/json'].schema ?? {} },
        findFault: (status, mediaType, body) => {
          const response = op['responses'][status] as Node | undefined;
          if (response === undefined) return `${status} is not documented`;
          const described: Node = resolve(document, response)['content'] ?? {};
          if (mediaType === undefined) return Object.keys(described).length === 0 ? undefined : 'no content';
          if (described['*/*'] !== undefined) return undefined;
          if (described[mediaType] === undefined) return `${status} as ${mediaType} is not documented`;
          const ref = described[mediaType].schema?.$ref as string | undefined;
          // The schema of a list that also comes as CSV is that of its JSON.
          if (ref === undefined || !mediaType.endsWith('json')) return undefined;
          const validate = validatorOf(ref);
          return validate(body) ? undefined : ajv.errorsText(validate.errors);
        },
      } satisfies Operation;
    }),
  );
}

/** What a local reference leads to. */
export function resolve(document: Node, node: Node): Node {
  const ref = node['$ref'] as string | undefined;
  if (ref === undefined) return node;
  const target = ref
    .split('/')
    .slice(1)
    .reduce<any>((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return resolve(document, target as Node);
}
