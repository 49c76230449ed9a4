import type { Json } from '../kit/inner-calls.js';

/** Where operations are called: for which organization, and with which ids in their paths. */
export interface Place {
  readonly level: 'instance' | 'org';
  /** The organization; undefined for the instance. */
  readonly orgId: string | undefined;
  /** `projectId`, `grantId` and the like. */
  readonly ids: Json;
  /** Where it stands in the file. */
  readonly path: readonly string[];
}

/** An object of a collection, as it is. */
export interface Present {
  readonly key: string;
  /** The ids of the object, for paths. */
  readonly ids: Json;
  readonly read: Json;
}
