import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RouteTable } from './route-table.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [RouteTable], exports: [RouteTable] })
export class HttpModule {}
