/** The package comes without types: what the tests use of it. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    on(
      event: string,
      listener: (context: unknown, error: Error & { readonly error_description?: string }) => void,
    ): void;
  }
}
