import { complex, moment, reference, text } from './attribute.js';

export const ID = text('id', 'The ID of the resource, which Gatehouse assigns.', {
  isCaseExact: true,
  mutability: 'readOnly',
  returned: 'always',
  uniqueness: 'server',
});

export const EXTERNAL_ID = text('externalId', 'The ID of the resource in the directory that provisions it.', {
  isCaseExact: true,
  maxCharacters: 500,
});

export const META = complex(
  'meta',
  'What Gatehouse knows of the resource itself.',
  [
    text('resourceType', 'User or Group.', { isCaseExact: true, mutability: 'readOnly' }),
    moment('created', 'When it was added.', { mutability: 'readOnly' }),
    moment('lastModified', 'When it was last changed.', { mutability: 'readOnly' }),
    reference('location', 'Its URI.', { mutability: 'readOnly', referenceTypes: ['uri'] }),
    text('version', 'Its version, as in the header ETag.', { isCaseExact: true, mutability: 'readOnly' }),
  ],
  { mutability: 'readOnly' },
);

/** RFC 7643 §3.1. */
export const COMMON = [ID, EXTERNAL_ID, META];
