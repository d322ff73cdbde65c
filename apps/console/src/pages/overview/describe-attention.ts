import type { AttentionItem } from '@answer-evidence/contracts';

type Translate = (key: string, values: Readonly<Record<string, unknown>>) => string;

/** The words of a kind; the sentence of the service for one that this page does not know yet. */
export function describeAttention(item: AttentionItem, t: Translate): string {
  const values = {
    count: item.count,
    name: item.name ?? item.application_key ?? '',
    defaultValue: item.sentence,
  };
  return t(`overview.what.${item.kind}`, values);
}
