import { defineExtension, IDP_KIND, PROTOCOL, provide } from 'gatehouse';
import { READ_APPLICATIONS, WRITE_APPLICATIONS } from './application/applications.controller.js';
import { READ_CERTIFICATES, WRITE_CERTIFICATES } from './certificate/certificates.controller.js';
import { BASE_PATH } from './entity/our-entity.js';
import { SamlKind } from './provider/saml.kind.js';
import { EVENTS } from './saml.events.js';
import { SamlModule } from './saml.module.js';
import { MOVES } from './saml.moves.js';
import { samlSettings } from './saml.settings.js';
import { SCHEMA_CHANGES } from './saml.tables.js';
import { SamlProtocol } from './sign-in/saml.protocol.js';

export default defineExtension({
  id: 'saml',
  version: '0.1.0',
  gatehouse: '>=0.1.0',
  module: SamlModule,
  paths: [BASE_PATH],
  provides: [provide(PROTOCOL, SamlProtocol), provide(IDP_KIND, SamlKind)],
  settings: samlSettings,
  schemaChanges: SCHEMA_CHANGES,
  moves: MOVES,
  events: EVENTS,
  permissions: [
    // As `project.app.read` and `project.app.write` are held, which are checked besides.
    {
      name: READ_APPLICATIONS,
      level: 'org',
      heldBy: [
        'IAM_OWNER_VIEWER',
        'IAM_ORG_MANAGER',
        'IAM_USER_MANAGER',
        'IAM_LOGIN_CLIENT',
        'ORG_OWNER',
        'ORG_OWNER_VIEWER',
      ],
    },
    { name: WRITE_APPLICATIONS, level: 'org', heldBy: ['IAM_ORG_MANAGER', 'ORG_OWNER'] },
    { name: READ_CERTIFICATES, level: 'instance', heldBy: ['IAM_OWNER_VIEWER'] },
    // Whoever exchanges the certificate too early ends all sign-ins: IAM_OWNER alone.
    { name: WRITE_CERTIFICATES, level: 'instance' },
  ],
});
