import { ConfigurationError } from './errors.ts';

export {
  ConfigurationError,
  EvidenceError,
  MismatchError,
  ProblemError,
  QueueError,
  ResponseError,
  TimeoutError,
  TransportError,
  VerificationError,
} from './errors.ts';

function refuse(): never {
  throw new ConfigurationError(
    'this package does not run in a browser, where anyone could read the token: record answers where they are made, on your server',
  );
}

/** In a browser: refuses to be made, and says why. A bundle for browsers that contains it by accident can be built. */
export class AnswerEvidence {
  constructor() {
    refuse();
  }
}

/** In a browser: refuses. */
export const observe: () => never = refuse;
/** In a browser: refuses. */
export const evidenceTelemetry: () => never = refuse;
/** In a browser: refuses. */
export const evidenceCallbacks: () => never = refuse;
