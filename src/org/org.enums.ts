import { wireEnum } from '../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const ORG_STATE = wireEnum('OrgState', {
  ORG_STATE_UNSPECIFIED: [0, 'unspecified'],
  ORG_STATE_ACTIVE: [1, 'active'],
  ORG_STATE_INACTIVE: [2, 'inactive'],
  ORG_STATE_REMOVED: [3, 'removed'],
});

export const DOMAIN_VALIDATION_TYPE = wireEnum('DomainValidationType', {
  DOMAIN_VALIDATION_TYPE_UNSPECIFIED: [0, 'unspecified'],
  DOMAIN_VALIDATION_TYPE_HTTP: [1, 'http'],
  DOMAIN_VALIDATION_TYPE_DNS: [2, 'dns'],
});
