import { Module } from '@nestjs/common';
import { CLAIMS, defineExtension, provide, settings } from 'gatehouse';
import { ClaimsSettings, readSettings } from './claims.settings.js';
import { HttpClaims } from './http.claims.js';

@Module({ providers: [HttpClaims] })
class HttpClaimsModule {}

export default defineExtension({
  id: 'httpclaims',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HttpClaimsModule,
  provides: [provide(CLAIMS, HttpClaims)],
  settings: settings(ClaimsSettings, readSettings),
});
