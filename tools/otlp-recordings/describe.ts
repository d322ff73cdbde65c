import type { Attribute, OtlpBatch } from '@answer-evidence/otlp-mapping';
import { listRecordings, mapRequests, readRequests, summarize } from './read-recordings.ts';

/** Prints what each recording leaves, and the names of the attributes in it, one a line: for comparison by `diff`. */
for (const name of listRecordings()) {
  const requests = readRequests(name);
  for (const item of mapRequests(requests)) console.log(`${name} record ${JSON.stringify(summarize(item))}`);
  for (const attribute of attributesOf(requests)) console.log(`${name} attribute ${attribute}`);
}

function attributesOf(requests: readonly OtlpBatch[]): readonly string[] {
  const names = requests.flatMap(({ items }) =>
    items.flatMap((item) => {
      const events =
        item.kind === 'span' ? item.events.flatMap((event) => keysOf(event.attributes, `${event.name} `)) : [];
      return [...keysOf(item.attributes, `${item.scope.name} `), ...events];
    }),
  );
  return [...new Set(names)].sort();
}

/** Numbers of messages and parts differ from call to call. */
function keysOf(attributes: readonly Attribute[], prefix: string): readonly string[] {
  return attributes.map(({ key }) => prefix + key.replaceAll(/\.\d+\./g, '.N.'));
}
