import { providerEffects } from '../effects/access-effects.js';
import { keyed } from '../ground.js';
import type { CollectionKind } from '../kind.js';
import { active } from './special-fields.js';

const PATH = '/idps/:idpId';

/** Identity providers of the instance or of an organization. */
export const PROVIDERS: CollectionKind = {
  type: 'collection',
  label: 'identity provider',
  groups: [
    {
      route: `PUT ${PATH}`,
      // What a user may do is said by `providerOptions`, of which `autoRegister` is the older half.
      keyField: 'name',
      without: ['autoRegister'],
      of: ({ stylingType, providerOptions }) => ({ stylingType, providerOptions }),
    },
    { word: 'oidc', route: `PUT ${PATH}/oidc_config`, of: ({ oidcConfig }) => oidcConfig as Fields },
    { word: 'jwt', route: `PUT ${PATH}/jwt_config`, of: ({ jwtConfig }) => jwtConfig as Fields },
    {
      word: 'extension',
      route: `PUT ${PATH}/extension_config`,
      fixed: ['kind'],
      of: ({ extensionConfig }) => extensionConfig as Fields,
    },
  ],
  specials: [active(PATH)],
  effects: providerEffects,
  list: async (ground, place) => {
    const level = place.level === 'org' ? 'IDP_OWNER_TYPE_ORG' : 'IDP_OWNER_TYPE_SYSTEM';
    const found = await ground.all(place, 'POST /idps/_search');
    return keyed(
      found.filter(({ owner }) => owner === level),
      ({ name }) => name as string,
      ({ id }) => ({ idpId: id }),
    );
  },
  add: async (ground, place, name, fields) => {
    const word = wordOf(fields);
    const { stylingType, providerOptions } = fields;
    const common = { name, ...(stylingType === undefined ? {} : { stylingType }) };
    const given = fields[word] as object;
    // Whether it answers is known only once its own side was set up, with the redirect URI that it gets here.
    const options = word === 'extension' ? { providerOptions, offerUntested: true } : {};
    const made = await ground.change(place, `POST /idps/${word}`, { ...common, ...given, ...options });
    return { idpId: made['idpId'] ?? made['id'] };
  },
  addRoute: (fields) => `POST /idps/${wordOf(fields)}`,
  remove: `DELETE ${PATH}`,
};

type Fields = Readonly<Record<string, unknown>> | undefined;

function wordOf(fields: Readonly<Record<string, unknown>>): 'oidc' | 'jwt' | 'extension' {
  return (['jwt', 'extension'] as const).find((word) => fields[word] !== undefined) ?? 'oidc';
}
