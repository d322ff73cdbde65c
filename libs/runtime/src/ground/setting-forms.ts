import * as z from 'zod';

/** A port number. */
export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be a port number'))
  .meta({ description: 'port number' });

/** A number of days. */
export const days = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of days')
  .transform(Number)
  .pipe(z.number().max(36_500, 'must be a number of days'))
  .meta({ description: 'number of days' });

/** A URL of one of these protocols; may have `{workspace}` in it. */
export function url(...protocols: readonly string[]) {
  return z
    .string()
    .refine(
      (text) =>
        URL.canParse(text.replace('{workspace}', 'workspace')) &&
        protocols.includes(new URL(text.replace('{workspace}', 'workspace')).protocol),
      `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
    .meta({ description: `URL, ${protocols.map((protocol) => `\`${protocol}//\``).join(' or ')}` });
}

/** The host policy finds a workspace by what its host has before the rest of this one. */
export function isPlaceholderWhole(text: string): boolean {
  return !/[{}]/.test(text.replace(/^https?:\/\/\{workspace\}\.(?=[^/])/, ''));
}

/** Whether a URL is encrypted on its way, or goes no further than this machine. */
export function isHttpsOrLocal(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Whether a URL is a scheme, a host and a port only. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && text.replace(/\/$/, '') === new URL(text).origin;
}

/** A whole number in these bounds. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .meta({ description: `whole number from ${min} to ${max}` });
}

/** Whether what parses a text later takes it. */
export function isParsedBy(parse: (text: string) => unknown) {
  return (text: string): boolean => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** A text that a parser takes, which says what is wrong with another one. */
export function parsedBy(parse: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not valid' });
    }
  });
}
