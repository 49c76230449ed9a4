import type { Json } from '../../kit/inner-calls.js';
import { KINDS } from '../../text/message-kinds.js';
import type { Ground } from '../ground.js';
import type { CollectionKind, FolderKind } from '../kind.js';
import type { Place, Present } from '../place.js';

/** The texts that were changed, by language; `null` takes the built-in or inherited ones back. */
export const TEXTS: FolderKind = {
  type: 'folder',
  label: 'texts',
  parts: {
    login: textsAt('login texts', '/text/login', async (ground, place) => ground.facts.loginTexts(place.orgId)),
    messages: {
      type: 'folder',
      isQuiet: true,
      label: 'texts of messages',
      parts: Object.fromEntries(
        KINDS.map(({ kind, word, message }) => [
          kind,
          textsAt(`texts of ${message}`, `/text/message/${word}`, async (ground, place) =>
            ground.facts.messageTexts(place.orgId, kind),
          ),
        ]),
      ),
    },
  },
};

type Languages = (ground: Ground, place: Place) => Promise<readonly string[]>;

function textsAt(label: string, path: string, languages: Languages): CollectionKind {
  const route = `${path}/:language`;
  const read = async (ground: Ground, place: Place, language: string): Promise<Present> => {
    const { customText } = await ground.call({ ...place, ids: { ...place.ids, language } }, `GET ${route}`);
    return { key: language, ids: { language }, read: customText as Json };
  };
  return {
    type: 'collection',
    isQuiet: true,
    label,
    groups: [{ route: `PUT ${route}`, isSparse: true, of: (found) => found }],
    list: async (ground, place) => {
      // The operation checks whether the caller may read texts at all, also where none was changed.
      await read(ground, place, 'en');
      const found: Present[] = [];
      for (const language of [...(await languages(ground, place))].sort())
        found.push(await read(ground, place, language));
      return found;
    },
    add: async (ground, place, language, fields) => {
      await ground.change({ ...place, ids: { ...place.ids, language } }, `PUT ${route}`, fields);
      return { language };
    },
    addRoute: () => `PUT ${route}`,
    remove: `DELETE ${route}`,
  };
}
