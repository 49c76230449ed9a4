import type { Stored } from '../../part/part.js';
import type { PeopleSettings, UserNames } from '../people-settings.js';
import type { Report } from '../report.js';
import type { Keyring } from './keyring.js';
import type { SourceDatabase } from './source-database.js';

/** What all parts of the conversion of an instance need. */
export interface Source {
  readonly database: SourceDatabase;
  readonly keyring: Keyring;
  readonly instance: Instance;
  readonly people: PeopleSettings;
  readonly names: UserNames;
  readonly report: Report;
  /** The ids of the extensions that the target has loaded. */
  readonly extensions: ReadonlySet<string>;
}

export interface Instance {
  readonly id: string;
  readonly defaultOrgId: string;
  /** The project of the service itself, which the target has already. */
  readonly systemProjectId: string;
  /** The domain to which passkeys belong that do not name one. */
  readonly rpId: string;
}

export interface SourceOrg {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

/** The word of each number; undefined for a number that has none here. */
export function wordOf<Word extends string>(words: Readonly<Record<number, Word>>, value: unknown): Word | undefined {
  return typeof value === 'number' || typeof value === 'string' ? words[Number(value)] : undefined;
}

/** Nanoseconds, as the source stores durations, in whole seconds. */
export function secondsOf(value: unknown): number {
  return Math.ceil(Number(value ?? 0) / 1_000_000_000);
}

export function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** The texts of an array, each once. */
export function textsIn(row: Stored, column: string): string[] {
  const value: unknown = row[column];
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...new Set(all.filter((each): each is string => typeof each === 'string' && each !== ''))];
}

/** The numbers of an array, each once. */
export function numbersIn(row: Stored, column: string): number[] {
  const value: unknown = row[column];
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...new Set(all.map(Number))];
}

export const ACTIVE = { 1: 'active', 2: 'inactive' } as const;
