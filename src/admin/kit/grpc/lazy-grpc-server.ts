import { Injectable } from '@nestjs/common';
import { LazyModuleLoader, ModulesContainer } from '@nestjs/core';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { LoadedExtensions } from '../../../foundation/extension/extensions.module.js';
import { Logger } from '../../../foundation/log/logger.js';
import { STANDARD_SERVICES } from './google-files.js';
import type { GrpcServer, NodeServerRequest, NodeServerResponse } from './grpc-server.js';
import { collectOperations } from './known-operation.js';
import { serviceName, servicesOf } from './service-protos.js';

/**
 * The gRPC server, made with the first call: its packages load some hundred files, and describing all messages takes
 * longer than connecting to the database. Many instances are never called this way.
 */
@Injectable()
export class LazyGrpcServer {
  private server: Promise<GrpcServer> | undefined;

  constructor(
    private readonly loader: LazyModuleLoader,
    private readonly issuer: IssuerConfig,
    private readonly log: Logger,
    private readonly loaded: LoadedExtensions,
    private readonly modules: ModulesContainer,
  ) {}

  /** Whose paths are served: `/service.admin.v1.AdminService/…`. */
  get services(): string[] {
    const standard = STANDARD_SERVICES.flatMap((file) =>
      (file.services ?? []).map(({ name }) => `${file.package}.${name}`),
    );
    // The operations are only looked for if there are extensions.
    const operations = this.loaded.extensions.length === 0 ? [] : collectOperations(this.modules);
    return [...servicesOf(operations).map((key) => serviceName(key, this.issuer.urnWord)), ...standard];
  }

  /** Answers one call. Never throws: what cannot be answered ends with its stream. */
  async answer(request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    try {
      const server = await (this.server ??= this.open());
      const path = (request.url ?? '').split('?', 1)[0]!;
      if (server.knows(path)) Object.assign(request, { route: { path } }); // what metrics count by
      await server.answer(request, response);
    } catch (error) {
      this.server = undefined;
      this.log.error({ err: error }, 'the gRPC server could not be made');
      response.destroy();
    }
  }

  private async open(): Promise<GrpcServer> {
    const { GrpcServerModule } = await import('./grpc-server.module.js');
    const { GrpcServer: Server } = await import('./grpc-server.js');
    const module = await this.loader.load(() => GrpcServerModule, { logger: false });
    const server = module.get(Server);
    server.open(this.services);
    return server;
  }
}
