import { subOf } from '../schema/attribute.js';
import { META } from '../schema/common.schema.js';
import type { ResourceType } from '../schema/resource-type.js';
import type { Complex } from './document.js';

export interface Meta {
  readonly created: Date;
  readonly lastModified: Date;
  readonly location: string;
  readonly version: string;
}

/** RFC 7643 §3.1. */
export function metaOf({ name }: ResourceType, { created, lastModified, location, version }: Meta): Complex {
  return new Map([
    [subOf(META, 'resourceType'), name],
    [subOf(META, 'created'), created.toISOString()],
    [subOf(META, 'lastModified'), lastModified.toISOString()],
    [subOf(META, 'location'), location],
    [subOf(META, 'version'), version],
  ]);
}
