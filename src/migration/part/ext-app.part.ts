import { newId } from '../../foundation/crypto/id.js';
import type { ExtClientKind } from '../../project/client/client.entity.js';
import { APP_STATE } from '../../project/client/client.enums.js';
import { settingsViolations } from '../../project/client/client-settings.js';
import { toNameKey } from '../../user/user-name.js';
import { choice, Message, part, text } from '../document/field.js';
import { CLIENT_COLUMNS, clientStage, toSettingColumns } from './client.stage.js';
import { idIfAny, idOf, ownId } from './ids.js';
import { type DocumentPart, definePart, forEach, OWNED_PROJECTS, textOf } from './part.js';

/** What the product keeps of an application that an extension answers; its settings are rows of the extension. */
const SETTINGS = new Message(
  { projectId: idOf(1), name: text(2, { min: 1, max: 200 }), kind: text(3, { min: 1, max: 200 }) },
  ['projectId', 'name', 'kind'],
);

/** An entry of `extensionApps`. */
export const EXTENSION_APP = new Message(
  { appId: ownId(1), app: part(2, SETTINGS), clientId: idIfAny(100), state: choice(101, APP_STATE) },
  ['app'],
);

/**
 * Applications that extensions answer by protocols of their own: one whose extension is not loaded here is a fault,
 * since nothing would answer it.
 */
export const extensionAppPart: DocumentPart = definePart({
  member: 'extensionApps',
  number: 108,
  stages: [clientStage],
  message: EXTENSION_APP,
  take({ appId, app, clientId, state }, section) {
    if (!app) return;
    const { faults, path, extensions, accessTokenHeaderType } = section;
    const { projectId, name } = app;
    if (!extensions.some((extension) => app.kind === `ext:${extension}`)) {
      const known = extensions.map((extension) => `ext:${extension}`).join(', ');
      return faults.add(
        `${path}.app.kind`,
        `must be that of an extension that is loaded here: ${known === '' ? 'there is none' : known}`,
      );
    }
    const settings = { projectId, name, kind: app.kind as ExtClientKind, authMethod: 'none' } as const;
    faults.addAll(`${path}.app`, settingsViolations(settings));
    const id = appId || newId();
    // Its extension names it by its id, which is its client id as well.
    const shownId = clientId || id;
    section.stage(
      clientStage,
      {
        ...toSettingColumns(settings, accessTokenHeaderType),
        id,
        id_key: toNameKey(id),
        client_id: shownId,
        client_id_key: toNameKey(shownId),
        state: state === 'unspecified' ? 'active' : state,
        secret_hash: null,
      },
      { type: 'extension_app', id, done: id },
    );
  },
  select: `SELECT c.id, ${CLIENT_COLUMNS.map((column) => `c.${column}`).join(', ')}
    FROM ${OWNED_PROJECTS} p ${forEach(`SELECT * FROM client WHERE project_id = p.id AND kind LIKE 'ext:%'`)} c
    ORDER BY c.id`,
  toEntry: (row) => ({
    appId: textOf(row, 'id'),
    clientId: textOf(row, 'client_id'),
    state: row['state'] as 'active',
    app: { projectId: textOf(row, 'project_id'), name: textOf(row, 'name'), kind: textOf(row, 'kind') },
  }),
});
