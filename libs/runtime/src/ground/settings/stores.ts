import * as z from 'zod';
import { parseRedisAddress } from '@answer-evidence/bullmq/redis-address';
import { parseMasterKey } from '@answer-evidence/node-crypto';
import { FAILOVER_WORD } from '../failover-policy.ts';
import { days, isOrigin, isParsedBy, parsedBy, url } from '../setting-forms.ts';

/** Where things are stored: database, queues, bytes of evidence, heads, and the key to all of it. */
export const STORES_SETTINGS = {
  SERVICE_DATA_DIR: { schema: z.string().min(1).default('.data'), purpose: 'Folder for all stored data' },
  SERVICE_DATA_DIR_LASTS: {
    schema: z.enum(['off', 'on'], 'must be off or on').default('off'),
    purpose:
      'on: you say that the data folder outlives this container and this machine. With DATABASE_URL and a folder that ' +
      'is no mount of its own, a start is otherwise refused rather than make a master key that could be lost',
  },
  SERVICE_MASTER_KEY: {
    schema: z
      .string()
      .refine(isParsedBy(parseMasterKey), 'must be base64 of 32 bytes (create one with: openssl rand -base64 32)')
      .meta({ description: 'base64' })
      .optional(),
    purpose:
      'Base64 of 32 bytes that wrap every other key (openssl rand -base64 32). Default: a key file in the data folder',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .refine(
        (text) => !/^\w+:\/\/(?:[^@/?]*@)?[^/?]*,/.test(text),
        'must name one host, which leads to the primary also after a failover, such as a virtual address, a DNS name ' +
          'or HAProxy',
      )
      .pipe(url('postgres:', 'postgresql:'))
      .meta({ description: 'URL, `postgres://` or `postgresql://`' })
      .optional(),
    purpose:
      'PostgreSQL to use, directly and not through a connection pooler, as the owner of the database. The ' +
      'service makes logins of its own; an owner who may not create roles is told what an administrator has to ' +
      'run. Default: the embedded PostgreSQL',
  },
  SERVICE_DATABASE_FAILOVER: {
    schema: z
      .string()
      .regex(
        FAILOVER_WORD,
        'must be synchronous: and the names of synchronous standbys, or complete: and a server as SYSTEM_IDENTIFIER/TIMELINE',
      )
      .meta({ description: '`synchronous:NAME,NAME` or `complete:SYSTEM_IDENTIFIER/TIMELINE`' })
      .optional(),
    purpose:
      'What you say of the database when it is found on another server, as after a failover. ' +
      'synchronous:NAME,NAME: a promoted standby of these (names of synchronous_standby_names, those that the primary ' +
      'has after a failover as well) has every acknowledged commit, so the logs go on. complete:ID/TIMELINE: that very ' +
      'server has everything, as after a move. Default: the logs go on under new names, because entries may be missing',
  },
  REDIS_URL: {
    schema: parsedBy(parseRedisAddress)
      .meta({ description: 'URL, `redis://`, `rediss://`, `redis-sentinel://` or `rediss-sentinel://`' })
      .optional(),
    purpose:
      'Redis for the queues of background work, with maxmemory-policy noeviction: a server, or the Sentinels of one, ' +
      'as redis-sentinel://HOST:PORT,HOST:PORT/DATABASE?sentinelMasterId=NAME. While it is unavailable, only ' +
      'background work waits. Default: queues in the database',
  },
  S3_ENDPOINT: {
    schema: url('http:', 'https:').refine(isOrigin, 'must be a scheme, a host and a port only').optional(),
    purpose:
      'S3 server (AWS, MinIO, Ceph) for the bytes of evidence, with the three settings below. While it is ' +
      'unavailable, evidence waits, and after a minute creates wait too, unless SERVICE_HEADS names a folder. Default: ' +
      'files under objects/ in the data folder',
  },
  S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
      .meta({ description: 'name of a bucket' })
      .optional(),
    purpose: 'Bucket for the bytes of evidence, without object lock; the service uses only objects/ in it',
  },
  S3_ACCESS_KEY: { schema: z.string().min(1).optional(), purpose: 'Key that may write, read, delete and list in it' },
  S3_SECRET_KEY: { schema: z.string().min(1).optional(), purpose: 'Secret of that key' },
  S3_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region')
      .meta({ description: 'name of a region' })
      .optional(),
    purpose: 'Region of the bucket. Default: us-east-1, which self-hosted servers usually use',
  },
  S3_URL_STYLE: {
    schema: z.enum(['path', 'virtual-host'], 'must be path or virtual-host').default('path'),
    purpose:
      "Where a request names the bucket: in the path, or as the first part of the host. Amazon's own servers get the " +
      'second form in any case',
  },
  SERVICE_HEADS: {
    schema: z
      .string()
      .regex(/^(s3|folder:.+)$/, 'must be s3, or folder: and the path of a folder')
      .meta({ description: '`s3`, or `folder:` and a path' })
      .optional(),
    purpose:
      'Where the heads of the logs are kept outside the database: one place for all processes of an ' +
      'installation, which a restore of the database does not touch. Default: `heads/` in the bucket where ' +
      '`S3_ENDPOINT` is set, or else `heads/` in the data folder',
  },
  SERVICE_BACKUP_DAYS: {
    schema: days.default(30),
    purpose:
      'How many days you keep backups of the database. The service reports redacted and expired text as present ' +
      'in backups until then. 0: no backups',
  },
} as const;
