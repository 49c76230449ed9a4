import { paths, type ServicePath } from '../../org/instance/paths.js';
import type { UserEntry } from '../../user/user-directory.js';

/** The card of a person. */
export function personPath(userId: string): ServicePath {
  return `${paths.overviewPeople}/${encodeURIComponent(userId)}`;
}

/** What a person or a service user is called. */
export function nameOf({ kind, displayName, serviceName, userName }: UserEntry): string {
  return (kind === 'human' ? displayName : serviceName) || userName;
}
