import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Texts that only some pages show, by the names of their parts of a catalogue, and the folders with those pages. */
export const LATER_TEXTS: Readonly<Record<string, readonly string[]>> = {
  notifications: ['pages/notifications'],
  notificationTypes: ['pages/notifications'],
  notificationReasons: ['pages/notifications'],
  deliveryStates: ['pages/notifications'],
  mailTerms: ['pages/notifications'],
  ownNotifications: ['pages/notifications'],
  ownReasons: ['pages/notifications'],
  otel: ['pages/otel'],
  otelViews: ['pages/otel'],
  otelTexts: ['pages/otel'],
  otelSignals: ['pages/otel'],
  traceFates: ['pages/otel'],
  traceOthers: ['pages/otel'],
  ignoredReasons: ['pages/otel'],
  ignoredAdvice: ['pages/otel'],
  unattachedReasons: ['pages/otel'],
  givenUp: ['pages/otel'],
  topics: ['pages/otel'],
  holdsPage: ['pages/holds'],
  log: ['pages/log'],
  entryTypes: ['pages/log'],
  memberChanges: ['pages/log'],
  policyForms: ['pages/trust'],
  logKeys: ['pages/trust'],
  ledgerCheck: ['pages/trust'],
  lag: ['pages/trust'],
  anchors: ['pages/trust'],
  triage: ['pages/reconciliation'],
  runs: ['pages/reconciliation'],
  findings: ['pages/reconciliation'],
  details: ['pages/reconciliation'],
  detailValues: ['pages/reconciliation'],
  upload: ['pages/evidence'],
  accesses: ['pages/evidence'],
  passages: ['pages/evidence'],
  redactEvidence: ['pages/evidence'],
  acts: ['pages/members'],
  roleTexts: ['pages/members'],
  entryMembers: ['pages/log'],
  consequences: ['pages/settings', 'pages/log'],
  device: ['pages/device'],
  forecast: ['pages/settings'],
  newRun: ['pages/reconciliation', 'pages/evidence'],
  start: ['pages/start'],
  tokens: ['pages/tokens', 'pages/start', 'pages/members'],
  askedExports: ['pages/approvals'],
  streams: ['pages/streams'],
  streamStates: ['pages/streams'],
};

const CATALOGUE = /\/locales\/[a-z]+\.json(\?later)?$/;

/** Parts each catalogue in two: `de.json` has what any page may show, `de.json?later` what is loaded with its pages. */
export function splitCatalogues(): Plugin {
  return {
    name: 'split-catalogues',
    enforce: 'pre',
    async load(id) {
      const found = CATALOGUE.exec(id);
      if (found === null) return undefined;
      const isLater = found[1] !== undefined;
      const texts: unknown = JSON.parse(await readFile(id.replace('?later', ''), 'utf8'));
      const part = Object.entries(texts ?? {}).filter(([name]) => name in LATER_TEXTS === isLater);
      const json = JSON.stringify(Object.fromEntries(part));
      // Vite reads JSON only where a name ends so.
      return isLater ? { code: `export default ${json};`, moduleType: 'js' } : json;
    },
  };
}
