import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** Resolves names with the operating system's resolver. */
export class NameResolver {
  /** At least one address. @throws Error with a `code` such as ENOTFOUND */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    return lookup(name, { all: true });
  }
}
