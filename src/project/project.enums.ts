import { wireEnum } from '../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const PROJECT_STATE = wireEnum('ProjectState', {
  PROJECT_STATE_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_STATE_ACTIVE: [1, 'active'],
  PROJECT_STATE_INACTIVE: [2, 'inactive'],
});

export const PROJECT_GRANT_STATE = wireEnum('ProjectGrantState', {
  PROJECT_GRANT_STATE_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_GRANT_STATE_ACTIVE: [1, 'active'],
  PROJECT_GRANT_STATE_INACTIVE: [2, 'inactive'],
});

export const PRIVATE_LABELING_SETTING = wireEnum('PrivateLabelingSetting', {
  PRIVATE_LABELING_SETTING_UNSPECIFIED: [0, 'unspecified'],
  PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY: [1, 'enforce_project_resource_owner_policy'],
  PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY: [2, 'allow_login_user_resource_owner_policy'],
});
