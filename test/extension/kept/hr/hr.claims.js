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
import { Database } from 'gatehouse';

/** The cost centre of a person, for applications that request the scope `hr`. */
let HrClaims = class HrClaims {
  database;
  scopes = ['hr'];
  claims = ['https://acme.example/cost_centre'];
  constructor(database) {
    this.database = database;
  }
  async contribute({ userId }) {
    const [employee] = await this.database.query(
      'SELECT cost_centre AS "costCentre" FROM ext_hr.employee WHERE user_id = :userId',
      { userId },
    );
    return employee ? { 'https://acme.example/cost_centre': employee.costCentre } : {};
  }
};
HrClaims = __decorate([Injectable(), __metadata('design:paramtypes', [Database])], HrClaims);

export { HrClaims };
