import type { UserEntry } from '../../user/user-directory.js';

/** What a person or a service user is called. */
export function nameOf({ kind, displayName, serviceName, userName }: UserEntry): string {
  return (kind === 'human' ? displayName : serviceName) || userName;
}
