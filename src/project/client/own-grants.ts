import { Inject, Injectable } from '@nestjs/common';
import type { Filled } from '../../foundation/extension/seam.js';
import { GRANT, type OwnGrant } from './own-grant.js';

/** The grants of the extensions that are loaded. */
@Injectable()
export class OwnGrants {
  private readonly names: ReadonlySet<string>;

  constructor(@Inject(GRANT.token) readonly filled: ReadonlyArray<Filled<OwnGrant>>) {
    this.names = new Set(filled.map(({ part }) => part.name));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** Those of these names that no extension has: their token requests are refused. */
  lacking(names: readonly string[]): string[] {
    return names.filter((name) => !this.has(name));
  }
}
