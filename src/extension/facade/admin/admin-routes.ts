import { Module } from '@nestjs/common';
import { AdminModule } from '../../../admin/admin.module.js';
import { Refusals as RefusalsOfProduct } from '../../../admin/kit/status/refusals.js';
import { TokenModule } from '../../../token/token.module.js';
import { Refusals, SharedRefusals } from './routes.js';

/** Nest makes the guard and the interceptors of a controller in its own module, from what that module imports. */
const NEEDED = [AdminModule, TokenModule];

/**
 * What controllers of extensions need, for operations of the administrative API and for routes of their own. A module
 * with such controllers imports it.
 * @public
 */
@Module({
  imports: NEEDED,
  providers: [
    {
      provide: Refusals,
      inject: [RefusalsOfProduct],
      useFactory: (refusals: RefusalsOfProduct) => new SharedRefusals(refusals),
    },
  ],
  exports: [...NEEDED, Refusals],
})
export class AdminRoutes {}
