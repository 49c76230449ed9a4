import { defineExtension } from 'gatehouse';
import { BASE_PATH } from './protocol/asks.js';
import { READ, WRITE } from './provisioning/provisioning.controller.js';
import { EVENTS } from './provisioning/provisioning.events.js';
import { MOVES } from './provisioning/provisioning.moves.js';
import { SCHEMA_CHANGES } from './provisioning/provisioning.tables.js';
import { ScimModule } from './scim.module.js';
import { scimSettings } from './scim.settings.js';

export default defineExtension({
  id: 'scim',
  version: '0.1.0',
  gatehouse: '>=0.1.0',
  module: ScimModule,
  paths: [BASE_PATH],
  settings: scimSettings,
  schemaChanges: SCHEMA_CHANGES,
  moves: MOVES,
  events: EVENTS,
  permissions: [
    { name: READ, level: 'org', heldBy: ['ORG_OWNER', 'ORG_OWNER_VIEWER', 'ORG_USER_MANAGER'] },
    { name: WRITE, level: 'org', heldBy: ['ORG_OWNER', 'ORG_USER_MANAGER'] },
  ],
  roles: [
    {
      name: 'EXT_SCIM_DIRECTORY',
      level: 'org',
      permissions: ['user.read', 'user.write', 'user.delete', 'group.read', 'group.write', 'group.delete'],
    },
    // What members of a group with grants cost: whoever says who they are says who has the roles.
    { name: 'EXT_SCIM_GRANTS', level: 'org', permissions: ['user.grant.write', 'user.grant.delete'] },
    { name: 'EXT_SCIM_PASSWORDS', level: 'org', permissions: ['user.credential.write'] },
  ],
});
