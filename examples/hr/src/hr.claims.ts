import { Injectable } from '@nestjs/common';
import { type ClaimsContributor, type ClaimsQuestion, Database } from 'gatehouse';

/** The cost centre of a person, for applications that request the scope `hr`. */
@Injectable()
export class HrClaims implements ClaimsContributor {
  readonly scopes = ['hr'];
  readonly claims = ['https://acme.example/cost_centre'];

  constructor(private readonly database: Database) {}

  async contribute({ userId }: ClaimsQuestion): Promise<Record<string, string>> {
    const [employee] = await this.database.query<{ costCentre: string }>(
      'SELECT cost_centre AS "costCentre" FROM ext_hr.employee WHERE user_id = :userId',
      { userId },
    );
    return employee ? { 'https://acme.example/cost_centre': employee.costCentre } : {};
  }
}
