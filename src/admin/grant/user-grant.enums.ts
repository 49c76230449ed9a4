import { wireEnum } from '../wire/wire-enum.js';

export const USER_GRANT_STATE = wireEnum('UserGrantState', {
  USER_GRANT_STATE_UNSPECIFIED: [0, 'unspecified'],
  USER_GRANT_STATE_ACTIVE: [1, 'active'],
  USER_GRANT_STATE_INACTIVE: [2, 'inactive'],
});
