import * as z from 'zod';
import { wholeNumber } from '../setting-forms.ts';

/** Where keys of logs are made and sign, and how to reach a token of PKCS#11, which may wrap the master key as well. */
export const LOG_KEYS_SETTINGS = {
  SERVICE_LOG_KEYS: {
    schema: z.enum(['master-key', 'pkcs11', 'aws-kms'], 'must be master-key, pkcs11 or aws-kms').default('master-key'),
    purpose:
      'Where new keys of logs are made, those of new workspaces and those that are added. master-key: in the service, ' +
      'wrapped by the master key. pkcs11: in an HSM or another token, which signs and never gives them out. aws-kms: in ' +
      'AWS KMS, in the region of AWS_REGION. Keys that there are stay where they are',
  },
  SERVICE_SIGNING_MS: {
    schema: wholeNumber(100, 60_000).default(5_000),
    purpose:
      'How long a signature by a key outside of the service may take, in milliseconds. After that the request gets ' +
      '503 and may be repeated',
  },
  PKCS11_MODULE: {
    schema: z.string().min(1).meta({ description: 'path' }).optional(),
    purpose: 'Library of the PKCS#11 token (the .so file of its vendor), with the two settings below',
  },
  PKCS11_TOKEN: {
    schema: z.string().min(1).max(32, 'must be a label of at most 32 characters').optional(),
    purpose: 'Label of the token',
  },
  PKCS11_PIN: {
    schema: z.string().min(1).optional(),
    purpose: 'PIN of the user of the token. It is tried once per start, because tokens lock after a few wrong ones',
  },
  PKCS11_PACKAGE: {
    schema: z.string().min(1).meta({ description: 'path' }).optional(),
    purpose:
      'Folder of the package pkcs11js, as tools/pkcs11/install.sh compiles it. Default: where Node finds a package of ' +
      'this name',
  },
} as const;
