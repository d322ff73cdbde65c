import * as z from 'zod';

// Zod would try whether it may compile schemas, and the policy of the page would report the attempt.
z.config({ jitless: true });
