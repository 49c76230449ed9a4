import type { TestPerson } from '../support/builders.js';
import type { World } from '../support/world.js';

export const openSessionsOf = (world: World, { id }: TestPerson): Promise<object[]> =>
  world.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [id]);
