/*
 * The entry `gatehouse/experimental`: what may change in a minor version. That an extension imports it is seen in its
 * review.
 */
import 'reflect-metadata';
import './one-copy.js';

export type { Seam } from '../../foundation/extension/seam.js';
export {
  type ExtGrant,
  GRANT,
  type GrantDecision,
  type GrantedUser,
  type GrantParameter,
  type GrantQuestion,
  type GrantRefusal,
} from '../../project/client/ext-grant.js';
