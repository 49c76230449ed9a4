/** RFC 8615: below it, every application of a host has places of its own. */
const SHARED = '.well-known';

/** The paths that are those of the product on a server that has others beside them. */
export class ServedPaths {
  private readonly words: ReadonlySet<string>;
  private readonly wellKnown: ReadonlySet<string>;

  /**
   * @param templates the paths of all routes: `/ui/login/loginname`. The root is left to the other application
   * @param services the names of the services of gRPC, which are first words of paths
   */
  constructor(templates: readonly string[], services: readonly string[]) {
    const own = templates.filter((template) => firstWordOf(template) !== SHARED).map(firstWordOf);
    this.words = new Set([...own, ...services.map((name) => name.toLowerCase())].filter((word) => word !== ''));
    this.wellKnown = new Set(templates.filter((template) => firstWordOf(template) === SHARED));
  }

  include(path: string): boolean {
    const word = firstWordOf(path);
    return word === SHARED ? this.wellKnown.has(withoutSlash(path)) : this.words.has(word);
  }
}

/** Express matches paths in any case. */
function firstWordOf(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}

function withoutSlash(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}
