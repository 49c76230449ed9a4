import type { Application } from 'express';

/** What Express asks of each route, in their order, until one matches. */
interface Layer {
  readonly route?: { readonly path: unknown } | undefined;
  match: (path: string) => unknown;
}

/** Where the pattern of a route begins: a parameter, or what is optional. */
const PATTERN = /[:*{(\\]/;

/**
 * Makes Express compare the beginning of a path before it applies the pattern of a route. There are eight hundred of
 * them, and each request to the administrative API is compared with most. To be called once all routes are registered.
 */
export function compareBeginningsFirst(application: Application): void {
  let latest = '';
  let inLowerCase = '';
  for (const layer of application.router.stack as unknown as Layer[]) {
    const path = layer.route?.path;
    if (typeof path !== 'string') continue;
    const beginning = path.split(PATTERN, 1)[0]!.toLowerCase().replace(/\/+$/, ''); // which may be missing from the path
    const match = layer.match.bind(layer);
    layer.match = (wanted) => {
      // Routes are compared with one path after the other.
      if (wanted !== latest) {
        latest = wanted;
        inLowerCase = wanted.toLowerCase(); // Express ignores the case of paths.
      }
      return inLowerCase.startsWith(beginning) && match(wanted);
    };
  }
}
