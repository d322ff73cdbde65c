import { type Client, createClient } from '@answer-evidence/client';
import { CONSOLE_PATH } from './place.ts';

/** A client whose requests the session of this browser vouches for. `onExpired` is told when it no longer does. */
export function openClient(csrfToken: string, onExpired: () => void): Client {
  return createClient({
    // Pages show what is stored, whatever it is; the verification in the browser says what does not match.
    takesDifferent: true,
    registry: `${location.origin}${CONSOLE_PATH}`,
    authenticate: () => ({ 'x-csrf-token': csrfToken }),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 401) onExpired();
      return response;
    },
    retry: { attemptsMax: 2 },
  });
}
