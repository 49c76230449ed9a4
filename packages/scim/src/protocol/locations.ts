import type { ResourceType } from '../schema/resource-type.js';

/** The addresses of the resources of an organization. */
export class Locations {
  /** @param base with the id of the organization, without a slash at the end */
  constructor(readonly base: string) {}

  of(type: Pick<ResourceType, 'endpoint'>, id: string): string {
    return this.to(type.endpoint, id);
  }

  to(...words: readonly string[]): string {
    return [this.base, ...words.map(encodeURIComponent)].join('/');
  }
}
