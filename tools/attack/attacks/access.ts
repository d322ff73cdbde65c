import { ROUTE_TABLE, type RouteRow } from '../../scenery/route-table.ts';
import { type Attack, type Outcome, outcomeOf } from '../attack.ts';
import { partOf, type Scene } from '../scene.ts';

/** These end the token that they are asked with. */
const ENDING = ['POST /api/auth/logout', 'POST /api/auth/password'];

/** Every operation that is not public, for what belongs to the other workspace. */
async function askForTheirs(scene: Scene, token: string | null): Promise<Outcome> {
  const { theirs } = scene;
  const { applicationKey, idempotencyKey } = theirs.target;
  // These two are words that the callers have sent for things of their own.
  const marks = theirs.target.marks.filter((mark) => mark !== applicationKey && mark !== idempotencyKey);
  const statuses: number[] = [];
  const breaches: string[] = [];
  for (const [name, row] of partOf(scene, Object.entries(ROUTE_TABLE))) {
    if (row.access === 'public' || ENDING.includes(name)) continue;
    const [path, body] = [row.path(theirs.target), row.body?.(theirs.target)];
    const [method = ''] = name.split(' ');
    const reply = await scene.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    const text = `${await reply.text()} ${JSON.stringify([...reply.headers])}`;
    statuses.push(reply.status);
    for (const mark of marks)
      if (text.includes(mark) && !(path + JSON.stringify(body)).includes(mark)) breaches.push(`${name} shows ${mark}`);
    if (!isRefused(row, reply.status, token)) breaches.push(`${name}: ${reply.status}`);
  }
  return outcomeOf(statuses, breaches);
}

/** Only what shows callers their own may succeed. */
function isRefused(row: RouteRow, status: number, token: string | null): boolean {
  if (token === null) return status === 401;
  return status >= 400 || row.otherTenant === 'own view';
}

/** What a token may look like that was never given, from one that was. */
function bendToken(token: string): readonly string[] {
  const parts = token.split('.');
  const [header = '', claims = '', signature = ''] = parts;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  return [
    ...['', ' ', 'null', token.slice(0, -1), `${token}A`, `${token}.`, token.toUpperCase(), `${token} `, `"${token}"`],
    ...['none', 'None', 'HS256', 'RS256', 'EdDSA', 'ES256'].flatMap((alg) => [
      `${encode({ ...read(header), alg })}.${claims}.${signature}`,
      `${encode({ ...read(header), alg })}.${claims}.`,
    ]),
    ...['../../etc/passwd', '0', "' or 1=1", '\u0000'].map(
      (kid) => `${encode({ ...read(header), kid })}.${claims}.${signature}`,
    ),
    ...[
      { exp: 4_102_444_800 },
      { scope: 'admin' },
      { sub: 'manager' },
      { aud: 'other' },
      { iss: 'https://evil.example' },
    ].map((change) => `${header}.${encode({ ...read(claims), ...change })}.${signature}`),
    `${encode({ alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } })}.${claims}.${signature}`,
    `${header}.${claims}.${'A'.repeat(signature.length)}`,
    `${header}..${signature}`,
    ...[`aeu_${'A'.repeat(64)}`, `aec_${'A'.repeat(64)}`, 'x'.repeat(9_000)],
  ];
}

/** Reading and writing what belongs to somebody else, with good tokens, none and bent ones. */
export const ACCESS_ATTACKS: readonly Attack[] = [
  ...(['manager', 'member', 'first', 'second'] as const).map((who): Attack => ({
    kind: 'authorisation',
    name: `every operation for another workspace's things, as ${who === 'first' || who === 'second' ? `its ${who} application` : `its ${who}`}`,
    probeMsMax: 1_000,
    run: (scene) => askForTheirs(scene, scene.ours[who]),
  })),
  {
    kind: 'authorisation',
    name: 'every operation without a token',
    probeMsMax: 1_000,
    run: (scene) => askForTheirs(scene, null),
  },
  {
    kind: 'tokens',
    name: 'bent, unsigned, re-signed and invented tokens, in four places',
    probeMsMax: 1_000,
    async run(scene) {
      const { call, ours } = scene;
      const statuses: number[] = [];
      const breaches: string[] = [];
      const bent = bendToken(ours.first).filter((token) => token.trim() !== ours.first);
      for (const token of partOf(scene, bent)) {
        const given = encodeURIComponent(token);
        const printable = /^[\x20-\x7e]*$/.test(token);
        const asked: readonly (readonly [string, Record<string, string>])[] = [
          ...(printable ? [['/api/whoami', { Authorization: `Bearer ${token}` }] as const] : []),
          [`/api/whoami?access_token=${given}`, {}],
          ['/api/whoami', { Cookie: `__Secure-answer-evidence=${given}` }],
          ['/console/api/whoami', { Cookie: `__Secure-answer-evidence=${given}` }],
        ];
        for (const [path, headers] of asked) {
          const { status } = await call('GET', path, { headers });
          statuses.push(status);
          if (status < 400) breaches.push(`${path} with ${token.slice(0, 40)}: ${status}`);
        }
      }
      return outcomeOf(statuses, breaches);
    },
  },
];
