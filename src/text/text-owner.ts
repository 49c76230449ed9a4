import type { Details, Recorded } from '../foundation/database/recorded.js';
import type { EventMark } from '../foundation/event/journal.js';
import type { Instance } from '../org/instance/instance.entity.js';
import { findMessageLanguage, type MessageLanguage } from './message-catalogue/catalogue.js';

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

/** The place of what was just written: that of the mark, and the creation of what was there before. */
export function detailsAt(
  mark: EventMark,
  ownerId: string,
  stored: Pick<Recorded, 'creationDate'> | undefined,
): Details {
  return {
    sequence: mark.sequence,
    creationDate: stored?.creationDate ?? mark.at,
    changeDate: mark.at,
    resourceOwner: ownerId,
  };
}

/** The rows of these owners, in this order: each overrides those before it. */
export function layersOf<Row extends { readonly ownerId: string }>(
  rows: readonly Row[],
  ownerIds: readonly string[],
): Row[] {
  return [...new Set(ownerIds)].flatMap((ownerId) => rows.filter((row) => row.ownerId === ownerId));
}

/** The language of what somebody reads: their own, or else the default language of the instance, or else English. */
export function messageLanguageFor(languageTag: string, instance: Instance): MessageLanguage {
  return findMessageLanguage(languageTag) ?? findMessageLanguage(instance.defaultLanguage) ?? 'en';
}
