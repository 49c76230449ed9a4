import { DIRECTORY_KIND, defineExtension, provide } from 'gatehouse';
import { LdapKind } from './ldap.kind.js';
import { LdapModule } from './ldap.module.js';

export default defineExtension({
  id: 'ldap',
  version: '0.1.0',
  gatehouse: '>=0.1.0',
  module: LdapModule,
  provides: [provide(DIRECTORY_KIND, LdapKind)],
});
