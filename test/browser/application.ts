import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { UserManager, UserManagerSettings } from 'oidc-client-ts';
import { freePort } from '../support/free-port.js';

const LIBRARY = readFileSync(
  new URL('../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js', import.meta.url),
);

declare global {
  /** Of the application, in its pages. */
  const manager: UserManager;
}

/** An application in the browser, made with oidc-client-ts. */
export interface Application {
  readonly port: number;
  /** Its origin under one of its names. */
  readonly at: (host: string) => string;
  readonly close: () => Promise<void>;
}

/** Two names of one machine: `127.0.0.1` is of one site with the service, `localhost` of another. */
export const SAME_SITE = '127.0.0.1';
export const OTHER_SITE = 'localhost';

/** Listens on a port of its own; its pages leave it to the test what to do with `manager`. */
export async function startApplication(settingsAt: (origin: string) => UserManagerSettings): Promise<Application> {
  const port = await freePort();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://application.invalid');
    const settings = settingsAt(`http://${request.headers.host}`);
    const found = contentOf(pathname, settings);
    response.writeHead(found ? 200 : 404, { 'Content-Type': found?.type ?? 'text/plain' });
    response.end(found?.content);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    at: (host) => `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function contentOf(
  path: string,
  settings: UserManagerSettings,
): { type: string; content: string | Buffer } | undefined {
  switch (path) {
    case '/':
    case '/bye':
      return { type: 'text/html; charset=utf-8', content: page('') };
    case '/silent':
      return { type: 'text/html; charset=utf-8', content: page('manager.signinCallback()') };
    case '/library.js':
      return { type: 'text/javascript', content: LIBRARY };
    case '/manager.js':
      return {
        type: 'text/javascript',
        content: `globalThis.manager = new oidc.UserManager(${JSON.stringify(settings)});`,
      };
    default:
      return undefined;
  }
}

function page(script: string): string {
  return `<!doctype html><title>Application</title><link rel="icon" href="data:,">
    <script src="/library.js"></script><script src="/manager.js"></script><script>${script}</script>`;
}
