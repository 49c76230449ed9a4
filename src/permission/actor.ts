import type { Permission } from './role.js';

/** Whoever asks for an administrative operation, as the guard has met them. */
export interface Actor {
  readonly userId: string;
  /** The organization that they belong to. */
  readonly orgId: string;
  /** What they may do to the whole instance. */
  readonly instancePermissions: ReadonlySet<Permission>;
}
