import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthModule } from '../../../foundation/health/health.module.js';
import { AdminModule } from '../../admin.module.js';
import { ConnectCalls } from './connect-calls.js';
import { ErrorStatus } from './error-status.js';
import { GrpcServer } from './grpc-server.js';
import { OperationCalls } from './operation-calls.js';

/** The server for gRPC calls, loaded by `LazyGrpcServer`. */
@Module({
  imports: [AdminModule, DiscoveryModule, HealthModule],
  providers: [ConnectCalls, ErrorStatus, GrpcServer, OperationCalls],
  exports: [GrpcServer],
})
export class GrpcServerModule {}
