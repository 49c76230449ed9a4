import type { NestExpressApplication } from '@nestjs/platform-express';
import type { LogDestination } from '../../foundation/log/logger.js';
import type { Timeouts } from '../../foundation/time/timeouts.js';
import type { FixedClock } from './fixed-clock.js';

/**
 * An extension, as `defineExtension` returns it. By its members that every copy of the declarations has alike: each
 * entry of the package declares the classes that it names anew.
 * @public
 */
export interface AnyExtension {
  readonly id: string;
  readonly version: string;
}

/** @public */
export interface WorldOptions {
  /** The extensions as a team would load them, in their order. */
  readonly extensions?: readonly AnyExtension[];
  /** Settings, by the names of their environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limits on failed sign-ins; `off` unless they are what the test is about. */
  readonly loginLimits?: 'on' | 'off';
  /** Real time, for browsers and clients that have a clock of their own. */
  readonly realTime?: boolean;
  /** `real` where hashing is what the test is about: elsewhere a hash costs next to nothing. */
  readonly hashing?: 'real' | 'cheap';
  /** @internal */
  readonly refreshGraceSeconds?: number;
  /**
   * The issuer, when it differs from where the service listens: `https://id.test`, as behind a proxy.
   * @internal
   */
  readonly publicUrl?: string;
  /**
   * The issuer has a name instead of an address, which browsers reach: `http://localhost:…`.
   * @internal
   */
  readonly hasName?: boolean;
  /**
   * Shorter than in production where a test waits for its end.
   * @internal
   */
  readonly timeouts?: Timeouts;
  /**
   * Its time, if it shall not stand still.
   * @internal
   */
  readonly clock?: FixedClock;
  /**
   * Where its log goes, if it shall not be kept.
   * @internal
   */
  readonly logTo?: LogDestination;
  /**
   * Where it listens, if any port does not do.
   * @internal
   */
  readonly port?: number;
  /**
   * Called before it listens.
   * @internal
   */
  readonly beforeListening?: (application: NestExpressApplication) => void | Promise<void>;
}
