import type { Secret } from '../../../src/foundation/config/secret.js';

/** The settings of the store that docs/extending/object-stores.md shows. */
export class HrSettings {
  constructor(
    /** A folder by WebDAV, without a slash at the end. */
    readonly folder: string,
    readonly key: Secret,
  ) {}
}
