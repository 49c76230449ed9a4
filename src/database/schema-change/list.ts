import type { MigrationInterface } from 'typeorm';
import { Identity1795219200000 } from './1-identity.js';

/** Every schema change, oldest first. A change that was released is never edited. */
export const SCHEMA_CHANGES: ReadonlyArray<new () => MigrationInterface> = [Identity1795219200000];
