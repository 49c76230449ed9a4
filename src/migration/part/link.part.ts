import type { IdpType } from '../../idp/idp.entity.js';
import { IDP_TYPE, wireTypeOf } from '../../idp/idp.enums.js';
import { ATTRIBUTES_RULE, areAttributes, type SaidAttributes } from '../../idp/said-attributes.js';
import { choice, Message, moment, struct, text } from '../document/field.js';
import { idOf } from './ids.js';
import { linkStage, stageLink } from './link.stage.js';
import { type DocumentPart, definePart, earlier, forEach, OWNED_USERS, textOf } from './part.js';

const TYPE = choice(6, IDP_TYPE);
/** The provider determines its type; the described system writes numbers here that its own enumeration lacks. */
const TYPE_IF_KNOWN: typeof TYPE = {
  ...TYPE,
  read: (value, at, faults) => (typeof value === 'number' ? 'unspecified' : TYPE.read(value, at, faults)),
};

/** An entry of `userLinks`. */
export const USER_LINK = new Message(
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
);

export const linkPart: DocumentPart = definePart({
  member: 'userLinks',
  number: 33,
  stages: [linkStage],
  message: USER_LINK,
  take({ userId, idpId, providedUserId, providedUserName, linkedAt, attributes = {} }, section) {
    if (!areAttributes(attributes)) return section.faults.add(`${section.path}.attributes`, ATTRIBUTES_RULE);
    stageLink(
      {
        userId,
        idpId,
        externalUserId: providedUserId,
        displayName: providedUserName,
        attributes,
        creationDate: earlier(linkedAt, section.now),
      },
      section,
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
