import type { Snapshot } from '../../foundation/metrics/snapshot.js';
import type { EmbeddedPostgres } from '../embedded/index.js';

/** The data that a worker needs in order to start. */
export interface Orders {
  /** The database that the supervisor has started; absent if the settings name one. */
  readonly embedded?: Pick<EmbeddedPostgres, 'connection' | 'version'>;
  /** Whether it announces the service to the operator: only the first one does. */
  readonly isFirst: boolean;
  /** When the service began to start, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/** A message to the supervisor. */
export type Report =
  | { readonly kind: 'hello' }
  | { readonly kind: 'serving' }
  /** The answer to a question; without a number the last one, before the end. */
  | { readonly kind: 'metrics'; readonly question?: number; readonly metrics: Snapshot };

/** A message to a worker. The order to stop is SIGTERM, which a process also understands before it reads messages. */
export type Order =
  | { readonly kind: 'start'; readonly orders: Orders }
  /** Another worker has taken its place: it ends as soon as what runs has ended. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'metrics'; readonly question: number };
