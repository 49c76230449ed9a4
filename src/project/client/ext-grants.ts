import { Inject, Injectable } from '@nestjs/common';
import type { Filled } from '../../foundation/extension/seam.js';
import { type ExtGrant, GRANT } from './ext-grant.js';

/** The grants of the extensions that are loaded. */
@Injectable()
export class ExtGrants {
  private readonly names: ReadonlySet<string>;

  constructor(@Inject(GRANT.token) readonly filled: ReadonlyArray<Filled<ExtGrant>>) {
    this.names = new Set(filled.map(({ part }) => part.name));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** The names among these of grants that no extension has: their token requests are refused. */
  lacking(names: readonly string[]): string[] {
    return names.filter((name) => !this.has(name));
  }
}
