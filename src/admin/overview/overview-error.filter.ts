import { Catch } from '@nestjs/common';
import { paths } from '../../org/instance/paths.js';
import { VisitErrorFilter } from '../../visit/visit-error.filter.js';

@Catch()
export class OverviewErrorFilter extends VisitErrorFilter {
  protected override readonly place = { backHref: paths.overview, isIn: 'overview' } as const;
}
