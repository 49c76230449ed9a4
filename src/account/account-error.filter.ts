import { Catch } from '@nestjs/common';
import { paths } from '../org/instance/paths.js';
import { VisitErrorFilter } from '../visit/visit-error.filter.js';

@Catch()
export class AccountErrorFilter extends VisitErrorFilter {
  protected override readonly place = { backHref: paths.account, isIn: 'account' } as const;
}
