import type { Details, Recorded } from '../foundation/database/recorded.js';
import type { Instance } from '../instance/instance.entity.js';

/** The owner of texts: the instance or an organization. */
export interface TextOwner {
  readonly level: 'instance' | 'org';
  readonly id: string;
}

export function ownerOf(id: string, instance: Instance): TextOwner {
  return { level: id === instance.id ? 'instance' : 'org', id };
}

export function detailsOf({
  sequence,
  creationDate,
  changeDate,
  ownerId,
}: Recorded & { readonly ownerId: string }): Details {
  return { sequence, creationDate, changeDate, resourceOwner: ownerId };
}

/** Built-in texts come with the instance: there is no event about them. */
export function detailsOfBuiltIn({ id, creationDate }: Instance): Details {
  return { sequence: 0n, creationDate, changeDate: creationDate, resourceOwner: id };
}
