import { isThere } from '../../foundation/database/is-there.js';
import type { IdpType } from '../../idp/idp.entity.js';
import { IDP_TYPE, wireTypeOf } from '../../idp/idp.enums.js';
import { attributesProblem, type SaidAttributes } from '../../idp/said-attributes.js';
import { choice, Message, moment, struct, text } from '../document/field.js';
import { idpStage } from './idp.part.js';
import { idOf } from './ids.js';
import { type DocumentPart, definePart, earlier, forEach, OWNED_USERS, textOf } from './part.js';
import { OWN, OWN_OR_INSTANCE, refersTo, type Stage, staging } from './stage.js';
import { userStage } from './user.stage.js';

const TYPE = choice(6, IDP_TYPE);
/** The provider determines its type; the described system writes numbers here that its own enumeration lacks. */
const TYPE_IF_KNOWN: typeof TYPE = {
  ...TYPE,
  read: (value, at, faults) => (typeof value === 'number' ? 'unspecified' : TYPE.read(value, at, faults)),
};

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

export const linkPart: DocumentPart = definePart({
  member: 'userLinks',
  number: 33,
  stages: [linkStage],
  message: new Message(
    {
      userId: idOf(1),
      idpId: idOf(2),
      idpName: text(3, { max: 200 }),
      providedUserId: text(4, { min: 1, max: 200 }),
      providedUserName: text(5, { max: 200 }),
      idpType: TYPE_IF_KNOWN,
      linkedAt: moment(100),
      attributes: struct(101),
    },
    ['userId', 'idpId', 'providedUserId'],
  ),
  take({ userId, idpId, providedUserId, providedUserName, linkedAt, attributes = {} }, section) {
    const problem = attributesProblem(attributes);
    if (problem !== undefined) section.faults.add(`${section.path}.attributes`, problem);
    section.stage(
      linkStage,
      {
        idp_id: idpId,
        external_user_id: providedUserId,
        user_id: userId,
        display_name: providedUserName,
        attributes,
        creation_date: earlier(linkedAt, section.now),
      },
      {
        type: 'user_link',
        id: `${userId}_${idpId}`,
        done: { userId, externalUserId: providedUserId, displayName: providedUserName, idpId },
      },
    );
  },
  // Links to a provider of an organization that is not exported would lead nowhere.
  select: `SELECT l.user_id, l.idp_id, l.external_user_id, l.display_name, l.attributes, l.creation_date, i.name, i.type
    FROM ${OWNED_USERS} u
    ${forEach('SELECT * FROM idp_link WHERE user_id = u.id')} l
    ${forEach('SELECT name, type, owner_id FROM idp WHERE id = l.idp_id')} i
    WHERE i.owner_id = ANY(:orgIds::text[] || ARRAY(SELECT id FROM instance))
    ORDER BY l.idp_id, l.external_user_id`,
  toEntry: (row) => ({
    userId: textOf(row, 'user_id'),
    idpId: textOf(row, 'idp_id'),
    idpName: textOf(row, 'name'),
    providedUserId: textOf(row, 'external_user_id'),
    providedUserName: textOf(row, 'display_name'),
    idpType: wireTypeOf(row['type'] as IdpType),
    linkedAt: row['creation_date'] as Date,
    attributes: withSome(row['attributes'] as SaidAttributes),
  }),
});

/** Undefined if there are none, so that an earlier version can read the document. */
function withSome(attributes: SaidAttributes): SaidAttributes | undefined {
  return Object.keys(attributes).length === 0 ? undefined : attributes;
}
