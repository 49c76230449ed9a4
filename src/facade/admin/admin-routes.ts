import { Module } from '@nestjs/common';
import { AdminModule } from '../../admin/admin.module.js';

/**
 * What controllers of extensions need to be operations of the administrative API. A module with such controllers imports it.
 * @public
 */
@Module({ imports: [AdminModule], exports: [AdminModule] })
export class AdminRoutes {}
