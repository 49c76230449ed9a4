import { paths, type ServicePath } from '../../org/instance/paths.js';

/** The card of a person. */
export function personPath(userId: string): ServicePath {
  return `${paths.overviewPeople}/${encodeURIComponent(userId)}`;
}

/** A page that is about the instance or an organization, about this one. */
export function pageOfOrg(path: ServicePath, orgId: string): ServicePath {
  return `${path}?org=${encodeURIComponent(orgId)}`;
}
