import { Module } from '@nestjs/common';
import { CLAIMS, defineExtension, EVENT_LISTENER, GatehouseServices, provide, settings } from 'gatehouse';
import { AdminRoutes } from 'gatehouse/admin';
import { HrClaims } from './hr.claims.js';
import { HrController } from './hr.controller.js';
import { HrProvision, HrSettings } from './hr.provision.js';

@Module({ imports: [GatehouseServices, AdminRoutes], controllers: [HrController], providers: [HrClaims, HrProvision] })
class HrModule {}

export default defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(CLAIMS, HrClaims), provide(EVENT_LISTENER, HrProvision)],
  permissions: [{ name: 'ext.hr.employee.read', level: 'org', heldBy: ['ORG_OWNER', 'ORG_OWNER_VIEWER'] }],
  schemaChanges: [
    {
      name: '1-employee',
      up: `CREATE TABLE employee (
        user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
        cost_centre text NOT NULL
      )`,
    },
  ],
  settings: settings(HrSettings, (env) => {
    const company = env.text('HR_COMPANY') ?? 'ACME';
    if (company.length > 20) env.mistake(`HR_COMPANY is "${company}". Give at most 20 characters.`);
    return new HrSettings(company);
  }),
});
