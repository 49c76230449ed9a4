import type { Transaction } from '../../foundation/database/database.js';
import type { FixedClock } from './fixed-clock.js';
import type { TestKey } from './test-key.js';

/** Where a process of the service listens. @public */
export interface Place {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
}

/** The parts of a world that builders, browsers and applications need. */
export interface RunningService extends Place {
  readonly issuer: string;
  readonly clock: FixedClock;
  now(): number;
  plant(secret: string | undefined): void;
  get<T>(provider: abstract new (...values: never[]) => T): T;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  makeKey(algorithm: string): Promise<Omit<TestKey, 'kid'>>;
}
