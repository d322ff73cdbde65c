import * as z from 'zod';
import { CONSOLE_IDLE_SECONDS, CONSOLE_LIFE_SECONDS, CONSOLE_LIFE_SECONDS_MAX, slug } from '@answer-evidence/contracts';
import { parseGroupRules } from '../group-rules.ts';
import { isHttpsOrLocal, parsedBy, url, wholeNumber } from '../setting-forms.ts';

/** The console and who signs people in to it. */
export const CONSOLE_SETTINGS = {
  SERVICE_CONSOLE_DIR: {
    schema: z.string().min(1).default('apps/console/dist'),
    purpose: 'Folder of the built console, which is served at /console/',
  },
  SERVICE_DOCS_DIR: {
    schema: z.string().min(1).default('dist/site'),
    purpose: 'Folder of the built documentation, which is served at /docs/',
  },
  SERVICE_CONSOLE_UPSTREAM: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'Address of the API for browsers that are signed in to the console: that of the proxy before all processes. ' +
      'Default: this process itself, which then needs every stage',
  },
  SERVICE_SESSION_SECONDS: {
    schema: wholeNumber(300, CONSOLE_LIFE_SECONDS_MAX).default(CONSOLE_LIFE_SECONDS),
    purpose: 'How long a session of the console lasts at most. Open sessions keep the time that they had',
  },
  SERVICE_SESSION_IDLE_SECONDS: {
    schema: wholeNumber(300, 86_400).default(CONSOLE_IDLE_SECONDS),
    purpose: 'After how long without a request a session of the console ends',
  },
  SERVICE_OIDC_ISSUER: {
    schema: url('http:', 'https:')
      .refine(isHttpsOrLocal, 'must begin with https:// unless it is on this machine')
      .optional(),
    purpose:
      'OpenID provider that people may sign in to the console with, with the three settings below. Register ' +
      '/console/sign-in/callback below the public address as its redirect URI. Default: passwords alone',
  },
  SERVICE_OIDC_CLIENT_ID: { schema: z.string().min(1).optional(), purpose: 'Client that it has for the service' },
  SERVICE_OIDC_CLIENT_SECRET: { schema: z.string().min(1).optional(), purpose: 'Secret of that client' },
  SERVICE_OIDC_WORKSPACE: {
    schema: slug.optional(),
    purpose: 'Workspace whose members sign in by it. It adds no members, and nobody gets into another workspace',
  },
  SERVICE_OIDC_CLAIM: {
    schema: z
      .string()
      .regex(/^[\w:./-]{1,200}$/, 'must be the name of a claim')
      .default('email')
      .meta({ description: 'name of a claim' }),
    purpose:
      'Claim whose value is the name of a member. Choose one that people cannot change themselves. email counts only ' +
      'with email_verified',
  },
  SERVICE_OIDC_GROUPS: {
    schema: parsedBy(parseGroupRules)
      .optional()
      .meta({ description: 'JSON array of `group`, `role`, `applications`, `environments`, `adopt`' }),
    purpose:
      'Which groups at the provider give which role, as a JSON array of rows; the first row with a group of the person ' +
      'counts. Adds people who are not members yet, changes their role at each sign-in, and disables those who have no ' +
      'such group any more. Default: groups mean nothing',
  },
  SERVICE_OIDC_GROUPS_CLAIM: {
    schema: z
      .string()
      .regex(/^[\w:./-]{1,200}$/, 'must be the name of a claim')
      .default('groups')
      .meta({ description: 'name of a claim' }),
    purpose: 'Claim that has the groups of a person, as an array of texts',
  },
  SERVICE_OIDC_LINK: {
    schema: z.enum(['never', 'first-sign-in'], 'must be never or first-sign-in').default('never'),
    purpose:
      'Whether the first sign-in that names a member links them to their subject at the provider. Nobody else at it can ' +
      'sign in as them from then on, whatever their name there becomes. Default: only managers link members',
  },
} as const;
