import { sha256 } from '../../../foundation/crypto/digest.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { SpecialField } from '../kind.js';
import { checkIs } from './special-fields.js';

/** Where an image can be had, with its digest: `asset:/assets/…?v=…`. */
const ASSET = 'asset:';
/** The image itself. */
const BASE64 = 'base64:';

/** Logos and icons of a label policy; an empty text for none. */
export const IMAGES: readonly SpecialField[] = [
  image('logo', 'logoUrl', 'logo'),
  image('logoDark', 'logoUrlDark', 'logo_dark'),
  image('icon', 'iconUrl', 'icon'),
  image('iconDark', 'iconUrlDark', 'icon_dark'),
];

function image(word: string, urlField: string, path: string): SpecialField {
  const route = `PUT /policies/label/${path}`;
  return {
    word,
    schema: { type: 'string', pattern: '^(?:(?:image|asset|base64):.+)?$' },
    route,
    isOwnAlone: true,
    of: (read) => {
      const url = (read[urlField] ?? '') as string;
      return url === '' ? '' : `${ASSET}${url.slice(url.indexOf('/assets/'))}`;
    },
    toCompare: digestOf,
    set: async (ground, place, wanted) => {
      checkIs('string', wanted, word);
      const text = wanted as string;
      if (text === '') {
        await ground.change(place, `DELETE /policies/label/${path}`);
        return;
      }
      if (!text.startsWith(BASE64))
        throw invalidFields([
          {
            field: word,
            description: 'is another image than the one that is there: write image:FILE beside this file',
          },
        ]);
      await ground.change(place, route, { content: text.slice(BASE64.length) });
    },
  };
}

/** The digest by which images are told apart, of an address that has it or of the image itself. */
function digestOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.startsWith(BASE64)) return sha256(Buffer.from(value.slice(BASE64.length), 'base64')).toString('base64url');
  return value.startsWith(ASSET) ? value.slice(value.lastIndexOf('?v=') + 3) : value;
}
