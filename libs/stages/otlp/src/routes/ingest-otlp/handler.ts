import { actorOf, boundApplication } from '@answer-evidence/access';
import type { SettingsValues } from '@answer-evidence/contracts';
import {
  ingestOtlp,
  ingestOtlpLogs,
  ingestOtlpTraces,
  type Operation,
  type rawBody,
} from '@answer-evidence/contracts/operations';
import { formatExportResponse } from '@answer-evidence/otlp';
import {
  applyRules,
  findFacts,
  findIgnored,
  findNamedIds,
  findNamesOfKinds,
  findTold,
  findUnsaid,
  findWarnings,
  formatHalves,
  formatRejections,
  formatWarnings,
  type OtlpSignal,
  packItems,
  readByRules,
  reduceItems,
  refuseUnreadable,
  type RejectedItem,
  unpackItems,
} from '@answer-evidence/otlp-mapping';
import { createHashKeys } from '@answer-evidence/preparation';
import { type ByteBudget, defineRoute, openNow, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';
import { describeIgnored } from '../../ignored/describe-ignored.ts';
import type { IgnoredTally } from '../../ignored/ignored-tally.ts';
import { createAcceptItems } from '../../inbox/accept-items.ts';
import { isForeign, refuseForeign } from '../../inbox/foreign-items.ts';
import { hashIds } from '../../inbox/hash-ids.ts';
import { createSortTraces } from '../../inbox/sort-traces.ts';
import { readBatch } from '../read-batch.ts';
import { giveTextRules, readBy, readRuled } from '../ruled-body.ts';
import { encodingOf, MEDIA_TYPES, STATUS_FORM } from './problem-form.ts';

/** No traces. */
const NONE: ReadonlySet<string | null> = new Set();

/** What each takes; the bare path takes both, and the body tells. */
const TAKEN: readonly (readonly [Operation & { readonly body: typeof rawBody }, OtlpSignal | undefined])[] = [
  [ingestOtlp, undefined],
  [ingestOtlpTraces, 'traces'],
  [ingestOtlpLogs, 'logs'],
];

/** `POST …/otel`, `…/otel/v1/traces` and `…/otel/v1/logs`: OTLP 1.11 over HTTP, and over gRPC where it is on. */
export function ingestOtlpRoutes(deps: OtlpDeps, tally: IgnoredTally, bodyBudget: ByteBudget): readonly Route[] {
  const hashKeys = createHashKeys(deps.administration);
  const accept = createAcceptItems(deps, hashKeys);
  const sortTraces = createSortTraces(deps);
  return TAKEN.map(([operation, signal]) =>
    defineRoute({
      ...operation,
      bodyBytesMax: deps.otlpBodyBytesMax,
      bodyBudget,
      problemForm: STATUS_FORM,
      digestGiven: giveTextRules(deps),
      digest: (body, contentType, given) =>
        openNow(
          readRuled((rules) => {
            const { items, ...batch } = readBatch(body, contentType, signal, deps.otlpLimits);
            const reduced = readByRules(items, reduceItems(items), rules);
            const [facts, names] = [findFacts(items, reduced), findNamesOfKinds(items, reduced)];
            return { batch, items: packItems(reduced), ids: findNamedIds(items, reduced), facts, names };
          }, given),
        ),
      async handle(request) {
        const { caller } = request;
        const encoding = encodingOf(request.header('content-type'));
        const bound = boundApplication(caller);
        const workspace = await deps.directory.get(caller.workspaceId);
        const sort = async (settings: SettingsValues) => {
          const { answer_audit_otlp_rules: rules } = settings;
          const { batch, items: packed, ids, facts, names } = readBy(request.body.open(), rules);
          const items = unpackItems(packed);
          const hashed = await hashIds(hashKeys, workspace, settings, items, ids);
          const { items: ruled } = applyRules(hashed, facts, rules);
          const judged = refuseUnreadable(ruled);
          const { decided, held, crowdedOut } = await sortTraces(workspace.id, judged.items, bound);
          const own = decided.items.filter((item) => !isForeign(item, bound));
          const foreign = decided.items.filter((item) => isForeign(item, bound)).map(refuseForeign);
          const { ignored, droppedAttributes } = decided;
          const unread = [...judged.rejected, ...decided.rejected];
          const answers = own.map(({ index, traceId }) => ({ index, traceId }));
          const taken = new Set([...decided.items, ...unread].map(({ index }) => index));
          const summary = {
            batch: { signal: batch.signal, warning: batch.warning },
            ...{ ignored, droppedAttributes, crowdedOut, answers },
            rejected: [...batch.rejected, ...unread, ...foreign],
            warned: findWarnings(own),
            unsaid: findUnsaid(own),
            halves: formatHalves(batch.signal, own),
            held: Math.max(0, items.length - ignored - decided.items.length - unread.length),
            ignorable: findIgnored(judged.items, taken, names),
            heldTraces: held.flatMap(({ traceId, isOpen }) => (isOpen ? [traceId] : [])),
            origins: new Map(
              ruled.map(({ index, applicationKey, scopeName }) => [index, { applicationKey, scopeName }]),
            ),
          };
          return { own, held, summary };
        };
        const { summary, rejected: refused } = await accept(workspace, sort, actorOf(caller), request.body.isPacked);
        const { batch, halves, ignorable, answers, origins, crowdedOut } = summary;
        const rejected = [...summary.rejected, ...refused];
        const lost = new Set(refused.map(({ index }) => index));
        const made = answers.filter(({ index }) => !lost.has(index));
        const warned = summary.warned.filter(({ index }) => !lost.has(index));
        // What is beside an answer is part of it, or of no interest; what is beside a refused one is not.
        const answered = new Set([...made.map(({ traceId }) => traceId), ...summary.heldTraces]);
        const refusedHeld = refused.length - (answers.length - made.length);
        deps.onItems?.({
          accepted: made.length,
          rejected: rejected.length,
          ignored: summary.ignored,
          held: Math.max(0, summary.held - refusedHeld),
          droppedAttributes: summary.droppedAttributes,
        });
        if (crowdedOut > 0) deps.onTraces?.('too_many', crowdedOut);
        const by = { workspaceId: caller.workspaceId, sender: caller.tokenId, bound };
        const originOf = ({ index }: RejectedItem) => origins.get(index);
        tally.note({ ...by, ignored: ignorable, answered });
        tally.note({ ...by, ignored: findTold('refused', rejected, originOf), answered: NONE });
        tally.note({ ...by, ignored: findTold('attribute_ignored', warned, originOf), answered: NONE });
        tally.note({ ...by, ignored: findTold('unread_state', summary.unsaid, originOf), answered: NONE });
        const nothing = answered.size === 0 && rejected.length === 0 ? describeIgnored(ignorable) : '';
        const refusals = formatRejections(batch.signal, rejected);
        const said = [refusals, halves, formatWarnings(batch.signal, warned), batch.warning ?? ''];
        const message = said.filter((text) => text !== '').join('; ') || nothing;
        return {
          status: 200,
          contentType: MEDIA_TYPES[encoding],
          body: formatExportResponse(batch.signal, encoding, { rejected: rejected.length, message }),
        };
      },
    }),
  );
}
