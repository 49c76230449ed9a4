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
var __metadata =
  (this && this.__metadata) ||
  function (k, v) {
    if (typeof Reflect === 'object' && typeof Reflect.metadata === 'function') return Reflect.metadata(k, v);
  };

import { Injectable } from '@nestjs/common';
import { HrSettings } from './hr.settings.js';

/** Gives each new person a cost centre. */
let HrProvision = class HrProvision {
  settings;
  name = 'provision';
  types = ['user.human.added'];
  since = 'beginning';
  constructor(settings) {
    this.settings = settings;
  }
  async handle(events, tx) {
    for (const { aggregateId, payload } of events) {
      // The event may be old, and the user removed since.
      await tx.query(
        `INSERT INTO ext_hr.employee (user_id, cost_centre)
         SELECT id, :costCentre FROM user_account WHERE id = :userId
         ON CONFLICT (user_id) DO NOTHING`,
        { userId: aggregateId, costCentre: `${this.settings.company}-${String(payload['userName'])}` },
      );
    }
  }
};
HrProvision = __decorate([Injectable(), __metadata('design:paramtypes', [HrSettings])], HrProvision);

export { HrProvision };
