import type { IncomingMessage, ServerResponse } from 'node:http';
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

/**
 * A listener of Node for requests, and a middleware of Express. Without `next`, unknown paths are answered with 404.
 * @public
 */
export type GatehouseHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The service in a process that is not its own, such as that of a test. @public */
export interface Gatehouse {
  readonly app: INestApplication;
  /** The issuer: where the service can be reached. */
  readonly url: string;
  /**
   * Answers what another server of the process has received, such as that of a Nest application of the team: then the
   * two share one port, and `start` is not called. What is at none of the paths of Gatehouse is given to `next`.
   * @throws Error if it stands below a path, or behind a reader of bodies
   */
  readonly handler: GatehouseHandler;
  /** Listens on PORT. */
  start(): Promise<void>;
  /** Waits for running requests, and closes everything; resolves in bounded time. */
  stop(): Promise<void>;
}
