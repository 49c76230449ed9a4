import { Injectable } from '@nestjs/common';
import { type ClaimsContributor, type ClaimsQuestion, Users } from 'gatehouse';
import { HrSettings } from './hr.settings.js';

/** The cost centre of a person, for applications that request the scope `hr`. */
@Injectable()
export class HrClaims implements ClaimsContributor {
  readonly scopes = ['hr'];
  readonly claims = ['https://acme.example/cost_centre'];

  constructor(
    private readonly users: Users,
    private readonly settings: HrSettings,
  ) {}

  async contribute({ userId }: ClaimsQuestion): Promise<Record<string, string>> {
    const user = await this.users.find(userId);
    return user ? { 'https://acme.example/cost_centre': `${this.settings.company}-${user.userName}` } : {};
  }
}
