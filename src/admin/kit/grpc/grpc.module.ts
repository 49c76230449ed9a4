import { Module } from '@nestjs/common';
import { LazyGrpcServer } from './lazy-grpc-server.js';

/** The administrative API as gRPC and gRPC-web. */
@Module({ providers: [LazyGrpcServer], exports: [LazyGrpcServer] })
export class GrpcModule {}
