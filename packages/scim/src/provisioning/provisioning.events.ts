import { defineEvent } from 'gatehouse';

export const userDescribed = defineEvent({
  type: 'ext.scim.user.described',
  level: 'org',
  says: 'A directory has said of a user what Gatehouse keeps beside the account; `aggregateId` is the user.',
  carries: { directoryId: 'text' },
});

export const userTakenOver = defineEvent({
  type: 'ext.scim.user.taken_over',
  level: 'org',
  says: 'A manager has put a user under the provisioning of a directory; `aggregateId` is the user.',
  carries: { directoryId: 'text' },
});

export const userReleased = defineEvent({
  type: 'ext.scim.user.released',
  level: 'org',
  says: 'A manager has ended the provisioning of a user by a directory; `aggregateId` is the user.',
  carries: { directoryId: 'text' },
});

export const groupTakenOver = defineEvent({
  type: 'ext.scim.group.taken_over',
  level: 'org',
  says: 'A manager has put a group under the provisioning of a directory; `aggregateId` is the group.',
  carries: { directoryId: 'text' },
});

export const groupReleased = defineEvent({
  type: 'ext.scim.group.released',
  level: 'org',
  says: 'A manager has ended the provisioning of a group by a directory; `aggregateId` is the group.',
  carries: { directoryId: 'text' },
});

export const groupEmptied = defineEvent({
  type: 'ext.scim.group.emptied',
  level: 'org',
  says: 'A directory has removed all members of a group at once, and how many they were; `aggregateId` is the group.',
  carries: { directoryId: 'text', members: 'number' },
});

export const EVENTS = [userDescribed, userTakenOver, userReleased, groupTakenOver, groupReleased, groupEmptied];
