import type { Reply } from '../support/http.js';
import type { World } from '../support/world.js';

export interface Refused {
  readonly message: string;
  readonly details: ReadonlyArray<{
    readonly fieldViolations?: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  }>;
}

/** The paths of the faults that a refusal names. */
export const fieldsOf = (reply: Reply): string[] =>
  (reply.json<Refused>().details[0]?.fieldViolations ?? []).map(({ field }) => field);

/** But the signing keys: they go on by themselves. */
export const contentsOf = async (world: World): Promise<string> =>
  (await world.contents()).replace(/^signing_key .*$/m, '');
