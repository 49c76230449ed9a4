import { paths, type ServicePath } from '../../org/instance/paths.js';

/** The card of a person. */
export function personPath(userId: string): ServicePath {
  return `${paths.overviewPeople}/${encodeURIComponent(userId)}`;
}
