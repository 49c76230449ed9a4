import type { Json } from '../../kit/inner-calls.js';
import { type Ground, keyed } from '../ground.js';
import type { CollectionKind } from '../kind.js';
import type { Place } from '../place.js';

/** Stands before the id of a user, in place of the login name. */
const BY_ID = 'user:';

/**
 * Managers and their roles, by login name: `ada@acme.example: [ORG_OWNER]`. People themselves are no configuration:
 * who is named must be there.
 */
export function members(path: string): CollectionKind {
  return {
    type: 'collection',
    label: 'manager',
    groups: [{ route: `PUT ${path}/:userId`, of: ({ roles }) => ({ roles }) }],
    shorthand: 'roles',
    lastingKey: ({ ids }) => `${BY_ID}${ids['userId'] as string}`,
    list: async (ground, place) =>
      keyed(
        await ground.all(place, `POST ${path}/_search`),
        ({ preferredLoginName }) => preferredLoginName as string,
        ({ userId }) => ({ userId }),
      ),
    find: async (present, key, ground, place) => {
      const userId = await userIdOf(key, ground, place);
      return present.find(({ ids }) => ids['userId'] === userId);
    },
    add: async (ground, place, key, fields) => {
      const userId = await userIdOf(key, ground, place);
      await ground.change(place, `POST ${path}`, { ...fields, userId });
      return { userId };
    },
    addRoute: () => `POST ${path}`,
    remove: `DELETE ${path}/:userId`,
  };
}

/** @throws DomainError NotFound `user.not_found` */
async function userIdOf(key: string, ground: Ground, place: Place): Promise<string> {
  if (key.startsWith(BY_ID)) return key.slice(BY_ID.length);
  const org: Place = { ...place, level: 'org' };
  const { user } = await ground.call(org, 'GET /global/users/_by_login_name', { loginName: key });
  return (user as Json)['id'] as string;
}
