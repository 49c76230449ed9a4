import { wireEnum } from './wire-enum.js';

/** The form in which a key is handed out: a JSON document. */
export const KEY_TYPE = wireEnum('KeyType', {
  KEY_TYPE_UNSPECIFIED: [0, 'unspecified'],
  KEY_TYPE_JSON: [1, 'json'],
});
