import { type AnyBundle, evidenceLinkedCore, type TextExpiredCore, textExpiredCore } from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { retentionEnd } from '@answer-evidence/lifecycle';
import { readEntry } from '../bundle-context.ts';
import { assertSame, CheckFailure } from '../verdict.ts';
import { readCore } from './read-core.ts';

/**
 * The cores of links and expiries are of their forms and name the record, and no expiry came before the retention had
 * passed: else a log could explain with an entry of any content why a text is gone. Traces have a check of their own.
 * Throws `CheckFailure`.
 */
export function assertAttachments(bundle: AnyBundle): void {
  bundle.attachments.forEach((attachment, i) => {
    const name = `attachment ${i + 1}`;
    const { type, at } = readEntry({ name, entry: attachment.entry });
    if (type === 'evidence_linked') assertRecord(name, bundle, readCore(name, evidenceLinkedCore, attachment.core));
    if (type !== 'text_expired') return;
    const core = readCore(name, textExpiredCore, attachment.core);
    assertRecord(name, bundle, core);
    assertDue(name, bundle, core, attachment.leaf_index, at);
  });
}

function assertRecord(name: string, { record }: AnyBundle, core: { readonly answer_log_id: string }): void {
  assertSame(`the record that ${name} names`, record.core.id, core.answer_log_id);
}

function assertDue(
  name: string,
  { record, events }: AnyBundle,
  { retained_until: stated }: TextExpiredCore,
  leafIndex: number,
  at: string,
): void {
  const before = events.filter((event) => event.leaf_index < leafIndex).map((event) => event.core);
  const end = retentionEnd(parseTimestamp(record.core.retention_until), before);
  assertSame(`the retention that had ended by ${name}`, formatTimestamp(end), stated);
  if (parseTimestamp(at) <= end) throw new CheckFailure(`${name} is in the log before its retention ended`);
}
