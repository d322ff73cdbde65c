import { RECORDED_REPLIES } from '@answer-evidence/contracts';
import { type Node, resolve } from './described-api.ts';
import type { FormRequest } from './run-examples.ts';
import { isTime, mapTexts } from './stand-ins.ts';

/**
 * Requests as the description prints them, to the letter. Only what another installation must have made anew, such as
 * an id or a secret of a printed response, is replaced: by what stands in its place in the actual response.
 */
export function createPrintedRequests(document: Node): FormRequest {
  return ({ name }, { path, method }, replies) => {
    const actual = new Map<string, string>();
    for (const [before, reply] of Object.entries(replies)) pairTexts(RECORDED_REPLIES[before], reply, actual);
    const translate = (value: unknown) => mapTexts(value, (text) => actual.get(text) ?? text);
    const operation = document['paths'][path][method.toLowerCase()] as Node;
    const parameters = (place: string) =>
      Object.fromEntries(
        (operation['parameters'] as Node[]).flatMap((node) => {
          const parameter = resolve(document, node);
          const printed = parameter['in'] === place ? parameter['examples']?.[name]?.value : undefined;
          return printed === undefined ? [] : [[parameter['name'], translate(printed)]];
        }),
      ) as Record<string, string>;
    const body = operation['requestBody']?.content['application/json']?.examples?.[name]?.value;
    return { params: parameters('path'), query: parameters('query'), body: translate(body) };
  };
}

/** Finds for each text of a printed response what the actual one has there; times are sent as they are printed. */
function pairTexts(printed: unknown, actual: unknown, pairs: Map<string, string>): void {
  if (typeof printed === 'string') {
    if (typeof actual === 'string' && !isTime(printed)) pairs.set(printed, actual);
    return;
  }
  if (typeof printed !== 'object' || printed === null || typeof actual !== 'object' || actual === null) return;
  for (const [name, member] of Object.entries(printed))
    pairTexts(member, (actual as Readonly<Record<string, unknown>>)[name], pairs);
}
