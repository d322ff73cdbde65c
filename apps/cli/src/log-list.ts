const SECONDS_PER_DAY = 86_400;

/** How often a log asks each of its witnesses in a day at most: once per published checkpoint. */
export function requestsPerDay(checkpointIntervalSeconds: number): number {
  return Math.ceil(SECONDS_PER_DAY / checkpointIntervalSeconds);
}

/** A log list of the witness network (`logs/v0`) with one log, whose origin is the name of its key. */
export function formatLogList(log: {
  readonly vkey: string;
  readonly perDay: number;
  readonly contact: string | undefined;
}): string {
  const contact = log.contact === undefined ? [] : [`contact ${log.contact}`];
  return ['logs/v0', '', `vkey ${log.vkey}`, `qpd ${log.perDay}`, ...contact, ''].join('\n');
}
