import { defineExtension, IDP_KIND, provide } from 'gatehouse';
import { KINDS, SocialModule } from './social.module.js';

export default defineExtension({
  id: 'social',
  version: '0.1.0',
  gatehouse: '>=0.1.0',
  module: SocialModule,
  provides: KINDS.map((kind) => provide(IDP_KIND, kind)),
});
