import { isThere } from '../../foundation/database/is-there.js';
import type { SaidAttributes } from '../../idp/said-attributes.js';
import { idpStage } from './idp.part.js';
import type { Section } from './part.js';
import { OWN, OWN_OR_INSTANCE, refersTo, type Stage, staging } from './stage.js';
import { userStage } from './user.stage.js';

export const linkStage: Stage = {
  table: 'idp_link',
  name: 'a link',
  key: ['idp_id', 'external_user_id'],
  columns: ['user_id', 'display_name', 'attributes', 'creation_date'],
  uncompared: ['creation_date'],
  ownerOf: (t) => `(SELECT u.org_id FROM user_account u WHERE u.id = ${t}.user_id)`,
  checks: [
    refersTo('user_id', userStage, OWN),
    refersTo('idp_id', idpStage, {
      ...OWN_OR_INSTANCE,
      says: 'names an identity provider that is neither in the document nor one of the instance here',
      verdict: 'left_out',
    }),
    {
      breaks: () =>
        ['user_account', staging('user_account')]
          .map((users) => isThere(`${users} u`, `u.id = s.user_id AND u.kind <> 'human'`))
          .join(' OR '),
      says: 'belongs to a service user: links are for human users',
      verdict: 'invalid',
    },
    // Like a second factor, a link is only imported with its user: otherwise the author of a document could sign in as
    // an existing user.
    {
      breaks: () => isThere('user_account u', 'u.id = s.user_id'),
      says: 'is a new link of an existing user',
      verdict: 'conflict',
    },
  ],
};

/** The account of a user at an external identity provider. */
export interface StagedLink {
  readonly userId: string;
  readonly idpId: string;
  readonly externalUserId: string;
  readonly displayName: string;
  readonly attributes: SaidAttributes;
  readonly creationDate: Date;
}

export function stageLink(link: StagedLink, section: Section): void {
  const { userId, idpId, externalUserId, displayName, attributes, creationDate } = link;
  section.stage(
    linkStage,
    {
      idp_id: idpId,
      external_user_id: externalUserId,
      user_id: userId,
      display_name: displayName,
      attributes,
      creation_date: creationDate,
    },
    { type: 'user_link', id: `${userId}_${idpId}`, done: { userId, externalUserId, displayName, idpId } },
  );
}
