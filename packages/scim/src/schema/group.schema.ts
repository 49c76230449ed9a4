import { list, reference, text } from './attribute.js';
import { COMMON } from './common.schema.js';
import { ResourceType, Schema } from './resource-type.js';

/** Of one request. */
export const MOST_MEMBERS = 10_000;

export const GROUP_NAME = text('displayName', 'The name of the group; no other one of the organization has it.', {
  isRequired: true,
  uniqueness: 'server',
});

export const MEMBERS = list(
  'members',
  'The users in the group; groups are none.',
  [
    // RFC 7643 §8.7.1: who is a member is not changed, but removed and added.
    text('value', 'The ID of the user.', { isCaseExact: true, isRequired: true, mutability: 'immutable' }),
    reference('$ref', 'The URI of the user.', {
      mutability: 'immutable',
      referenceTypes: ['User'],
      maxCharacters: 2_000,
    }),
    text('display', 'The name of the user.', { mutability: 'readOnly' }),
    text('type', 'Always User.', { mutability: 'immutable', canonicalValues: ['User'] }),
  ],
  { maxValues: MOST_MEMBERS },
);

export const GROUP_SCHEMA = new Schema('urn:ietf:params:scim:schemas:core:2.0:Group', 'Group', 'A group of users.', [
  GROUP_NAME,
  MEMBERS,
]);

/** RFC 7643 §4.2. */
export const GROUP = new ResourceType('Group', 'Groups', COMMON, GROUP_SCHEMA, [], ['schemas']);
