import { Module } from '@nestjs/common';
import { CLAIMS, defineExtension, GatehouseServices, provide, settings } from 'gatehouse';
import { HrClaims } from './hr.claims.js';
import { HrSettings, readSettings } from './hr.settings.js';

@Module({ imports: [GatehouseServices], providers: [HrClaims] })
class HrModule {}

export default defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(CLAIMS, HrClaims)],
  settings: settings(HrSettings, readSettings),
});
