import type { Registry } from 'prom-client';
import type { ConsoleProxy } from '@answer-evidence/http-edge';
import type { Stage } from '@answer-evidence/routes';
import type { HostWorkspace } from '@answer-evidence/stage-workspace';
import type { Config } from '../../ground/config.ts';
import type { Report } from '../../ground/report.ts';
import type { ErrorSinks, Stores } from '../../open/open-stores.ts';
import type { LargeWork } from '../../work/open-body-readers.ts';
import type { SigningIn } from './signing-in.ts';

/** Where the service is: which workspace a `Host` header selects, and where workspaces are reached. */
export type Addresses = {
  readonly workspaceOfHost: (host: string | undefined) => Promise<HostWorkspace | undefined>;
  /** The public address of a workspace's API host; left out where none is set. */
  readonly publicUrl?: (slug: string) => string;
  /** Where links for people go. */
  readonly linkUrl: (slug: string) => string;
};

/** What a stage is opened on. */
export type StageContext = {
  readonly config: Config;
  readonly stores: Stores;
  readonly report: Report;
  readonly signingIn: () => SigningIn;
  readonly on: ErrorSinks;
  readonly addresses?: Addresses;
  /** Left out: all work is done in this thread. */
  readonly work?: Pick<LargeWork, 'split'>;
};

/** A stage with what it alone has opened. */
export type OpenedStage = {
  readonly stage: Stage;
  readonly registerMetrics?: (registry: Registry) => void;
  readonly close?: () => Promise<void>;
  /** Takes browsers through to the API. */
  readonly console?: ConsoleProxy;
};
