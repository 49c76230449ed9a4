import { wireEnum } from '../../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const USER_GRANT_STATE = wireEnum('UserGrantState', {
  USER_GRANT_STATE_UNSPECIFIED: [0, 'unspecified'],
  USER_GRANT_STATE_ACTIVE: [1, 'active'],
  USER_GRANT_STATE_INACTIVE: [2, 'inactive'],
});
