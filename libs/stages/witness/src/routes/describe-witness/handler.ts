import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { formatVkey } from '@answer-evidence/note';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WitnessDeps } from '../../deps.ts';

/** `GET /`: who this is and whom it cosigns, for people. The keys must be compared over another channel. */
export function describeWitnessRoute({ logs, keys }: WitnessDeps): Route {
  const lines = [
    'A transparency log witness (https://c2sp.org/tlog-witness).',
    '',
    ...keys.map(({ vkey }) => formatVkey(vkey)),
    '',
    'POST /add-checkpoint',
    ...[...logs.keys()].map((origin) => `GET /${formatHex(sha256(origin))}/checkpoint   ${origin}`),
  ];
  const body = `${lines.join('\n')}\n`;
  return defineRoute({
    method: 'GET',
    path: '/',
    operationId: 'describeWitness',
    summary: 'Describe this witness',
    access: 'public',
    responses: { 200: { description: 'Its keys and its logs, as text', contentType: 'text/plain' } },
    handle: () => Promise.resolve({ status: 200, contentType: 'text/plain; charset=utf-8', body }),
  });
}
