import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type Access, accessOf } from './access.js';
import { httpMethodOf, pathsOf } from './nest-metadata.js';

export interface Route {
  readonly method: string;
  /** The template: `/admin/v1/text/default/message/init/:language`. */
  readonly path: string;
  /** `TextController.getDefaultInit` */
  readonly handler: string;
  readonly access: Access | undefined;
}

/** Every route of every controller. */
@Injectable()
export class RouteTable implements OnModuleInit {
  private found: readonly Route[] | undefined;
  private made: readonly Pattern[] | undefined;
  private readonly closed: RegExp[] = [];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  get routes(): readonly Route[] {
    return (this.found ??= this.collect());
  }

  /**
   * Closed by default.
   * @throws Error naming every route that declares nothing
   */
  onModuleInit(): void {
    const undeclared = this.routes.filter((route) => !route.access);
    if (undeclared.length > 0) {
      const names = undeclared.map((route) => `${route.method} ${route.path} (${route.handler})`).join(', ');
      throw new Error(`Every route declares @Requires(permission) or @Open(); these do neither: ${names}`);
    }
  }

  /** Closes a path, as if no method of it were known: the operator has not turned on what it is for. */
  close(path: string): void {
    this.closed.push(toPattern(path));
  }

  isClosed(path: string): boolean {
    return this.closed.some((pattern) => pattern.test(path));
  }

  /**
   * The methods that a path supports, for `Allow` (RFC 9110 §10.2.1); empty for an unknown path. Of the templates that
   * match, the one that names most of the path counts: `_search` is no id.
   */
  allowedMethods(path: string): string[] {
    const matching = this.patterns.filter(({ pattern }) => pattern.test(path));
    const [closest] = matching.map(({ rank }) => rank).sort();
    const methods = new Set<string>();
    for (const { method, rank } of matching) {
      if (rank !== closest) continue;
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
    return [...methods].sort();
  }

  /** Made for the first request that no route answers: a start would be longer by some milliseconds. */
  private get patterns(): readonly Pattern[] {
    return (this.made ??= this.routes
      .filter(({ method }) => method !== 'ALL') // a route for every method leaves none to be refused
      .map(({ method, path }) => ({ method, pattern: toPattern(path), rank: rankOf(path) })));
  }

  private collect(): Route[] {
    const controllers = [...this.modules.values()].flatMap((module) => [...module.controllers.values()]);
    return controllers.flatMap(({ metatype }) =>
      typeof metatype === 'function' ? this.routesOf(metatype as Controller) : [],
    );
  }

  private routesOf(controller: Controller): Route[] {
    return this.scanner.getAllMethodNames(controller.prototype).flatMap((name) => {
      const handler = controller.prototype[name] as object;
      const method = httpMethodOf(handler);
      if (method === undefined) return [];
      const access = accessOf(controller, handler);
      return pathsOf(controller).flatMap((base) =>
        pathsOf(handler).map((path) => ({
          method,
          path: joinedPath(base, path),
          handler: `${controller.name}.${name}`,
          access,
        })),
      );
    });
  }
}

interface Pattern {
  readonly pattern: RegExp;
  readonly method: string;
  readonly rank: string;
}

interface Controller {
  readonly name: string;
  readonly prototype: Record<string, unknown>;
}

/** The path of a method of a controller. */
export function joinedPath(base: string, path: string): string {
  return `/${[base, path]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/')}`;
}

/** Sorts templates of the same paths: segment by segment, what is named comes before what may be anything. */
function rankOf(path: string): string {
  const ranks = path.split('/').map((segment) => (segment.startsWith('*') ? '2' : segment.startsWith(':') ? '1' : '0'));
  return ranks.join('');
}

/** Matches like Express: `:name` is a segment, `*name` one or more; in any case, also with a slash at the end. */
function toPattern(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment.startsWith('*') ? '.+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}
