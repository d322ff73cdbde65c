import * as z from 'zod';
import { parseMailServer } from '@answer-evidence/smtp-nodemailer';
import { parsedBy } from '../setting-forms.ts';

/** Where mails of notifications are handed over. */
export const MAIL_SETTINGS = {
  SERVICE_SMTP_URL: {
    schema: parsedBy(parseMailServer).meta({ description: 'URL, `smtp://` or `smtps://`' }).optional(),
    purpose:
      'Mail server that takes mails of notifications, with SERVICE_SMTP_FROM: smtps://user:password@host:465, or ' +
      'smtp://host:587, which must offer STARTTLS unless it is on this machine. Escape special characters of user and ' +
      'password as in every URL. Default: no mails',
  },
  SERVICE_SMTP_FROM: {
    schema: z
      .string()
      .regex(/^[^\s@<>,;"]{1,64}@[A-Za-z0-9.-]{1,190}$/, 'must be an address such as evidence@example.com')
      .meta({ description: 'address' })
      .optional(),
    purpose: 'Address that mails are from',
  },
} as const;
