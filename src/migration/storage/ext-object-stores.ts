import { Inject, Injectable } from '@nestjs/common';
import { PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { GuardedStore } from './guarded-store.js';
import { type ExtObjectStore, OBJECT_STORE, type ObjectStore, objectStoreName } from './object-store.js';

/** The object stores of extensions. */
@Injectable()
export class ExtObjectStores {
  constructor(
    @Inject(OBJECT_STORE.token) private readonly stores: ReadonlyArray<Filled<ExtObjectStore>>,
    private readonly calls: PartCalls,
  ) {}

  /** Such as `hr:vault`. */
  get names(): readonly string[] {
    return this.stores.map(objectStoreName);
  }

  find(name: string): ObjectStore | undefined {
    const store = this.stores.find((one) => objectStoreName(one) === name);
    return store && new GuardedStore(store, this.calls);
  }
}
