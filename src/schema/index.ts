import type { ProductSchema } from '../foundation/database/schema-change/index.js';
import { setEventClock } from './event-clock.js';
import { SCHEMA_CHANGES } from './list.js';

/** The tables of Gatehouse. */
export const SCHEMA: ProductSchema = {
  changes: SCHEMA_CHANGES,
  baseline: { replaces: 'LongLists1795219200066', lastBuild: 'commit b7c689a6 of 0.1.0' },
  afterwards: setEventClock,
};
