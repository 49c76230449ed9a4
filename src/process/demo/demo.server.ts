import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DemoConfig, IssuerConfig } from '../../foundation/config/config.js';
import { packageFile } from '../../foundation/config/package-file.js';
import { guard } from '../../foundation/http/front-door.js';
import { listen } from '../../foundation/http/listener.js';
import { Logger } from '../../foundation/log/logger.js';
import { Urn } from '../../token/claims/urn.js';

const HOST = '127.0.0.1';

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;

const FILES: Readonly<Record<string, { readonly file: URL; readonly type: string }>> = {
  '/': site('index.html'),
  '/silent.html': site('silent.html'),
  '/demo.css': site('demo.css'),
  '/demo.js': site('demo.js'),
  '/silent.js': site('silent.js'),
  '/icon.svg': site('icon.svg'),
  '/oidc-client-ts.js': { file: packageFile('oidc-client-ts/dist/browser/oidc-client-ts.min.js'), type: TYPES.js },
};

/**
 * A small public client on an origin of its own, for development: it signs users in with a public library, and shows
 * the result. It knows nothing about the service that other clients do not know.
 */
@Injectable()
export class DemoServer implements OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly config: DemoConfig,
    private readonly issuer: IssuerConfig,
    private readonly urn: Urn,
    private readonly log: Logger,
  ) {}

  /** Listens on DEMO_PORT, if that is set. If the port is taken, only the demo is unavailable. */
  async start(): Promise<void> {
    const { port } = this.config;
    if (port === undefined) return;
    const server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        this.log.error({ err: error, path: request.url?.split('?', 1)[0] }, 'defect in the demo application');
        response.destroy();
      });
    });
    guard(server, this.log);
    try {
      await listen(server, port, HOST);
      this.server = server;
    } catch (error) {
      this.log.warn(
        { port, err: error },
        'The demo application is not running: DEMO_PORT cannot be used. Give another port, or "off".',
      );
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    for (const [name, value] of Object.entries(this.headers())) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    if (path === '/settings.json')
      return void response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(this.settings());
    const known = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
    if (!known) return void response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found\n');
    const content = await readFile(known.file);
    response.writeHead(200, { 'Content-Type': known.type, 'Content-Length': content.length }).end(content);
  }

  /** The configuration of the client; the rest comes from the discovery document. */
  private settings(): string {
    const scope = ['openid', 'profile', 'email', 'phone', 'offline_access', this.urn.allProjectRoles].join(' ');
    return JSON.stringify({ authority: this.issuer.publicUrl, clientId: this.config.clientId, scope });
  }

  private headers(): Record<string, string> {
    const { publicUrl } = this.issuer;
    return {
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ${publicUrl}; ` +
        // The silent renewal runs in a frame, which goes to the issuer and comes back.
        `frame-src 'self' ${publicUrl}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    };
  }
}

function site(name: string): { readonly file: URL; readonly type: string } {
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES;
  return { file: new URL(`./site/${name}`, import.meta.url), type: TYPES[ending] };
}
