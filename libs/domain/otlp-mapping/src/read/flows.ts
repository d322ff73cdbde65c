import type { ContentRule } from '../dialects/content-rule.ts';
import { SHOWN_ELSEWHERE } from '../dialects/tables.ts';
import { COMPONENTS } from '../dialects/writing-tables.ts';
import { isJsonObject, memberOf } from '../item/json-value.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';

/** Whether an item is a call of a model, or an agent, that another trace shows as a whole: the run of a flow. */
export function isPartOfFlow({ attributes, resource, scope }: OtlpItem): boolean {
  return SHOWN_ELSEWHERE.some(({ both, whole, application, scopes }) => {
    const has = (name: string) => attributes.some(({ key }) => key === name);
    if (has(both)) return !has(whole);
    const isOfApplication = resource.attributes.some(({ key, value }) => {
      return key === 'service.name' && value === application;
    });
    return isOfApplication && scope.name.startsWith(scopes);
  });
}

/** What the components of a flow gave back, `{"Chat Input (ChatInput-1)": {"message": …}, …}`: what was said last. */
export function readFlow(text: string, to: ContentRule['to']): string | undefined {
  const found = Object.entries(readObject(text) ?? {}).flatMap(([name, component]) => {
    const message = isJsonObject(component) ? memberOf(component, 'message') : undefined;
    const isSpoken = COMPONENTS.some((components) => components[to].test(name));
    return isSpoken && typeof message === 'string' ? [message] : [];
  });
  return found.at(-1);
}
