import type { ProductSchema } from '../foundation/database/schema-change/index.js';
import { setEventClock } from './event-clock.js';
import { SCHEMA_CHANGES } from './list.js';

/** The tables of Gatehouse. */
export const SCHEMA: ProductSchema = { changes: SCHEMA_CHANGES, afterwards: setEventClock };
