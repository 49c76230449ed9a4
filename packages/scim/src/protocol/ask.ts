import type { Caller } from 'gatehouse/admin';
import type { AskedAttributes } from '../resource/projection.js';
import type { Locations } from './locations.js';
import type { Conditions } from './version.js';

/** Who asks, and how the answer shall be. */
export interface Ask {
  /** The service user is the directory. */
  readonly caller: Caller;
  readonly locations: Locations;
  readonly conditions: Conditions;
  readonly asked: AskedAttributes;
}
