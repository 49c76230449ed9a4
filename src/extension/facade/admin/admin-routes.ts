import { Module } from '@nestjs/common';
import { AdminModule } from '../../../admin/admin.module.js';
import { TokenModule } from '../../../token/token.module.js';

/** Nest makes the guard and the interceptors of a controller in its own module, from what that module imports. */
const NEEDED = [AdminModule, TokenModule];

/**
 * What controllers of extensions need to be operations of the administrative API. A module with such controllers
 * imports it.
 * @public
 */
@Module({ imports: NEEDED, exports: NEEDED })
export class AdminRoutes {}
