import { expect, it } from '@jest/globals';
import { toSnakeCase } from './snake-case.js';

it.each([
  ['id', 'id'],
  ['humanUsers', 'human_users'],
  ['oidcIdps', 'oidc_idps'],
  ['loginV2', 'login_v2'],
  ['passwordlessType', 'passwordless_type'],
  ['UserAccount', 'user_account'],
  ['backChannel_userId', 'back_channel_user_id'],
])('%s is %s in snake_case', (camelCase, snakeCase) => {
  expect(toSnakeCase(camelCase)).toBe(snakeCase);
});
