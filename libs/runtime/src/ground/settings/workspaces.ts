import * as z from 'zod';
import { parseAllowList } from '@answer-evidence/outbound-http';
import { isParsedBy, wholeNumber } from '../setting-forms.ts';

/** What workspaces may have and reach, and what a witness needs. */
export const WORKSPACES_SETTINGS = {
  SERVICE_OUTBOUND_ALLOW: {
    schema: z
      .string()
      .refine(
        isParsedBy(parseAllowList),
        'must be host:port entries separated by commas, such as witness.internal:8443,[fd00::1]:8080; the port * ' +
          'is any',
      )
      .meta({ description: '`host:port,…`' })
      .optional(),
    purpose:
      'Addresses that tenants may have the service call besides public https addresses: witnesses and time-stamp ' +
      'authorities in your own network or on this machine, also over http. The port `*` allows every port of the ' +
      'host',
  },
  SERVICE_RENEWAL_LEAD_DAYS: {
    schema: wholeNumber(1, 3_650).default(90),
    purpose:
      'How many days before a certificate of a time-stamping authority ends its tokens are renewed for the first time',
  },
  SERVICE_WITNESS_NAME: {
    schema: z.string().min(1).optional(),
    purpose:
      'For a witness (`npm run witness`): the name of its key, such as `witness.example/w1`. Set it at the first ' +
      'start and never change it',
  },
  SERVICE_WITNESS_LOGS: {
    schema: z.string().min(1).optional(),
    purpose:
      'For a witness: a file that lists the logs it cosigns, one vkey per line or in the format of the witness network',
  },
  SERVICE_FIRST_WORKSPACE: {
    schema: z.enum(['off', 'on'], 'must be off or on').default('on'),
    purpose:
      'on: a process that has every stage makes the workspace `demo` in an empty database, and writes the token of its ' +
      'manager to a file. off: for several such processes, of which each would keep a token of its own',
  },
  SERVICE_MEMBERS_MAX: {
    schema: wholeNumber(1, 100_000).default(1_000),
    purpose: 'Members that a workspace may have, removed ones not counted; one more is 409 `limit_reached`',
  },
  SERVICE_TOKENS_MAX: {
    schema: wholeNumber(10, 1_000_000).default(10_000),
    purpose: 'Live tokens that a workspace may have; one more is 409 `limit_reached`, also for a login',
  },
  SERVICE_TOKEN_KEY_DAYS: {
    schema: wholeNumber(1, 3_650).default(90),
    purpose: 'Days that a key signs application tokens before the next one replaces it automatically',
  },
  SERVICE_TOKEN_KEY_LEAD_SECONDS: {
    schema: wholeNumber(1, 43_200).default(3_600),
    purpose:
      'Seconds that the next key is published before it signs. Must exceed the 300 seconds that others may cache ' +
      '/.well-known/jwks.json',
  },
} as const;
