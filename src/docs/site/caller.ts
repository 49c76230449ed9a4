import { type ApiDocument, type Route, routesOf } from './document.js';
import type { Immutable, System } from './system.js';

/** Calls operations on behalf of the user who is signed in here. */
export class Caller {
  private readonly routes: ReadonlyMap<string, Route>;
  private system: (() => System) | undefined;

  constructor(
    document: ApiDocument,
    private readonly headers: () => Readonly<Record<string, string>>,
  ) {
    this.routes = new Map(routesOf(document).map((route) => [route.operation.operationId, route]));
  }

  attach(system: () => System): void {
    this.system = system;
  }

  get token(): string | undefined {
    const authorized = this.system?.().authSelectors.authorized() as Immutable | undefined;
    const token = authorized?.getIn(['oauth2', 'token', 'access_token']) ?? authorized?.getIn(['token', 'value']);
    return typeof token === 'string' ? token : undefined;
  }

  /** @returns undefined when it was refused */
  async call(operationId: string, body?: object): Promise<unknown> {
    const { method, path } = this.routes.get(operationId)!;
    return this.send(method, path, body);
  }

  /** @returns undefined when it was refused */
  async send(method: string, path: string, body?: object, headers = this.headers()): Promise<unknown> {
    if (this.token === undefined) return undefined;
    const response = await fetch(path, {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.ok ? response.json() : undefined;
  }
}
