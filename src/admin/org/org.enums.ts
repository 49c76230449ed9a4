import { wireEnum } from '../wire/wire-enum.js';

export const ORG_STATE = wireEnum('OrgState', {
  ORG_STATE_UNSPECIFIED: [0, 'unspecified'],
  ORG_STATE_ACTIVE: [1, 'active'],
  ORG_STATE_INACTIVE: [2, 'inactive'],
  ORG_STATE_REMOVED: [3, 'removed'],
});

export const ORG_FIELD_NAME = wireEnum('OrgFieldName', {
  ORG_FIELD_NAME_UNSPECIFIED: [0, 'id'],
  ORG_FIELD_NAME_NAME: [1, 'name'],
  ORG_FIELD_NAME_CREATION_DATE: [100, 'creationDate'],
});

export const DOMAIN_VALIDATION_TYPE = wireEnum('DomainValidationType', {
  DOMAIN_VALIDATION_TYPE_UNSPECIFIED: [0, 'unspecified'],
  DOMAIN_VALIDATION_TYPE_HTTP: [1, 'http'],
  DOMAIN_VALIDATION_TYPE_DNS: [2, 'dns'],
});
