/** V8's own `gc`: `last-resort` also frees what could be made anew, and pages that are half empty. */
export declare function collectGarbage(options?: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'regular' | 'last-resort';
}): void;
