import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClient } from '../grpc/generated-client.js';
import { freePort } from '../support/free-port.js';

/** What the generated modules import, and what that imports in turn: given to the browser as it was published. */
const PACKAGES = ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web'] as const;
const MODULES = new URL('../../node_modules/', import.meta.url);

/** A call as its page shows it: the answer, or what the client read of the refusal. */
export interface Told {
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly code?: number;
  readonly message?: string;
  readonly badRequest?: ReadonlyArray<{
    readonly fieldViolations: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  }>;
  readonly errorDetail?: ReadonlyArray<{ readonly id: string; readonly message: string }>;
}

/** How a call is made, beside its message. */
export interface How {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Given up at once after it was sent. */
  readonly abort?: boolean;
}

declare global {
  /** Of the page: calls a method of a generated service, and says what came of it. */
  function call(service: string, method: string, message: object, how?: How): Promise<Told>;
}

export interface WebApplication {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/**
 * Pages on an origin of its own that call the service at `api` with a client generated from the committed .proto files:
 * `/grpc-web` and `/connect`, by the protocols of these names.
 */
export async function startWebApplication(api: string): Promise<WebApplication> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-grpc-web-'));
  await generateClient(folder);
  const port = await freePort();
  const server = createServer((request, response) => {
    const found = contentOf(new URL(request.url ?? '', 'http://application.invalid').pathname, folder, api);
    response.writeHead(found ? 200 : 404, { 'Content-Type': found?.type ?? 'text/plain' });
    response.end(found?.content);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`, // another site than the service's 127.0.0.1
    close: () =>
      new Promise((resolve) => {
        rmSync(folder, { recursive: true, force: true });
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function contentOf(
  path: string,
  generated: string,
  api: string,
): { type: string; content: string | Buffer } | undefined {
  if (path === '/grpc-web' || path === '/connect') return { type: 'text/html; charset=utf-8', content: page(api) };
  const [, root, ...rest] = path.split('/');
  if (!path.endsWith('.js') || rest.includes('..')) return undefined;
  if (root === 'generated') return { type: 'text/javascript', content: readFileSync(join(generated, ...rest)) };
  if (root === 'modules') return { type: 'text/javascript', content: readFileSync(new URL(rest.join('/'), MODULES)) };
  return undefined;
}

/** Where a browser finds what modules name as Node would find it. */
function importMap(): object {
  const imports = PACKAGES.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(new URL(`${name}/package.json`, MODULES), 'utf8')) as {
      exports: Readonly<Record<string, { import: string }>>;
    };
    return Object.entries(exports).map(([entry, to]) => [
      `${name}${entry.slice(1)}`,
      `/modules/${name}${to.import.slice(1)}`,
    ]);
  });
  return { imports: Object.fromEntries(imports) as object };
}

function page(api: string): string {
  return `<!doctype html><title>Application</title><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify(importMap())}</script>
    <script type="module">
      import { toJson } from '@bufbuild/protobuf';
      import { createClient, ConnectError } from '@connectrpc/connect';
      import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
      import { AdminService } from '/generated/service/admin/v1/admin_pb.js';
      import { AuthService } from '/generated/service/auth/v1/auth_pb.js';
      import { ManagementService } from '/generated/service/management/v1/management_pb.js';
      import { BadRequestSchema } from '/generated/google/rpc/error_details_pb.js';
      import { ErrorDetailSchema } from '/generated/service/v1/types_pb.js';

      const create = location.pathname === '/connect' ? createConnectTransport : createGrpcWebTransport;
      const transport = create({ baseUrl: ${JSON.stringify(api)} });
      const services = { AdminService, AuthService, ManagementService };
      const detailsOf = (error, schema) => error.findDetails(schema).map((detail) => toJson(schema, detail));

      globalThis.call = async (service, method, message, { abort = false, ...how } = {}) => {
        const client = createClient(services[service], transport);
        const controller = new AbortController();
        try {
          const asked = client[method](message, { ...how, signal: controller.signal });
          if (abort) controller.abort();
          return { answer: toJson(services[service].method[method].output, await asked) };
        } catch (thrown) {
          const error = ConnectError.from(thrown);
          return { code: error.code, message: error.rawMessage, badRequest: detailsOf(error, BadRequestSchema), errorDetail: detailsOf(error, ErrorDetailSchema) };
        }
      };
    </script>`;
}
