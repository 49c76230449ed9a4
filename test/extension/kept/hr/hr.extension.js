var __decorate =
  (this && this.__decorate) ||
  function (decorators, target, key, desc) {
    var c = arguments.length,
      r = c < 3 ? target : desc === null ? (desc = Object.getOwnPropertyDescriptor(target, key)) : desc,
      d;
    if (typeof Reflect === 'object' && typeof Reflect.decorate === 'function')
      r = Reflect.decorate(decorators, target, key, desc);
    else
      for (var i = decorators.length - 1; i >= 0; i--)
        if ((d = decorators[i])) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
  };

import { Module } from '@nestjs/common';
import { CLAIMS, defineExtension, EVENT_LISTENER, GatehouseServices, provide, settings } from 'gatehouse';
import { AdminRoutes } from 'gatehouse/admin';
import { HrClaims } from './hr.claims.js';
import { HrController } from './hr.controller.js';
import { HrProvision } from './hr.provision.js';
import { HrSettings, readSettings } from './hr.settings.js';

let HrModule = class HrModule {};
HrModule = __decorate(
  [
    Module({
      imports: [GatehouseServices, AdminRoutes],
      controllers: [HrController],
      providers: [HrClaims, HrProvision],
    }),
  ],
  HrModule,
);
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
  settings: settings(HrSettings, readSettings),
});
