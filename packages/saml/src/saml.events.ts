import { defineEvent } from 'gatehouse';

export const applicationAdded = defineEvent({
  type: 'ext.saml.application.added',
  level: 'org',
  says: 'An application that speaks SAML was added to a project; `aggregateId` is the application.',
  carries: { projectId: 'text' },
});

export const applicationChanged = defineEvent({
  type: 'ext.saml.application.changed',
  level: 'org',
  says: 'The settings of an application that speaks SAML were changed, or its metadata; `aggregateId` is the application.',
  carries: { projectId: 'text', changed: 'texts' },
});

export const applicationRemoved = defineEvent({
  type: 'ext.saml.application.removed',
  level: 'org',
  says: 'An application that speaks SAML was removed by the operation of SAML; `aggregateId` is the application.',
  carries: { projectId: 'text' },
});

export const certificateAdded = defineEvent({
  type: 'ext.saml.certificate.added',
  level: 'instance',
  says: 'A key with a certificate was made, which signs now or will sign next; `aggregateId` is the certificate.',
  carries: { state: 'text', fingerprint: 'text' },
});

export const certificateRotated = defineEvent({
  type: 'ext.saml.certificate.rotated',
  level: 'instance',
  says: 'The next certificate signs from now on, and the one before was removed; `aggregateId` is the one that signs.',
  carries: { fingerprint: 'text' },
});

export const EVENTS = [
  applicationAdded,
  applicationChanged,
  applicationRemoved,
  certificateAdded,
  certificateRotated,
] as const;
