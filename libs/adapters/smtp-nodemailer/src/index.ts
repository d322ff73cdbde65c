export { openMailer, parseMailServer } from './open-mailer.ts';
