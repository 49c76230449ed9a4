import { Injectable } from '@nestjs/common';
import { LazyModuleLoader, ModulesContainer } from '@nestjs/core';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { LoadedExtensions } from '../../../foundation/extension/extensions.module.js';
import { Logger } from '../../../foundation/log/logger.js';
import { STANDARD_SERVICES } from './google-files.js';
import type { GrpcServer, NodeServerRequest, NodeServerResponse } from './grpc-server.js';
import { collectOperations } from './known-operation.js';
import { serviceName, servicesOf } from './service-protos.js';

const STANDARD = STANDARD_SERVICES.flatMap((file) =>
  (file.services ?? []).map(({ name }) => `${file.package}.${name}`),
);

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

  /**
   * Whether it is the path of a procedure: `/service.admin.v1.AdminService/…`. Clients of the described system also
   * ask for services that are not here, and read the refusal by their protocol.
   */
  answers(path: string): boolean {
    const [, service, method] = path.split('/', 3);
    if (service === undefined || method === undefined) return false;
    return service.startsWith(`${this.issuer.urnWord}.`) || STANDARD.includes(service);
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

  /** The names of all that are served. */
  get services(): string[] {
    // The operations are only looked for if there are extensions.
    const operations = this.loaded.extensions.length === 0 ? [] : collectOperations(this.modules);
    return [...servicesOf(operations).map((key) => serviceName(key, this.issuer.urnWord)), ...STANDARD];
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
