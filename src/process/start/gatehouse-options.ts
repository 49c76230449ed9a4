import type { INestApplication } from '@nestjs/common';
import type { Environment } from '../../foundation/config/environment.js';
import type { Extension } from '../../foundation/extension/extension.js';

/** @public */
export interface GatehouseOptions {
  /**
   * The results of `defineExtension`, in the order in which their parts are asked. Those that the setting EXTENSIONS
   * names come before them.
   */
  readonly extensions?: readonly Extension[];
  /** The settings, by the names of their environment variables; by default those of the process. */
  readonly env?: Environment;
}

/** The service in a process that is not its own, such as that of a test. @public */
export interface Gatehouse {
  readonly app: INestApplication;
  /** The issuer: where the service can be reached. */
  readonly url: string;
  start(): Promise<void>;
  /** Waits for running requests, and closes everything; resolves in bounded time. */
  stop(): Promise<void>;
}
