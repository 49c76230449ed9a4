/*
 * The entry `gatehouse/experimental`: what may change in a minor version. That an extension imports it is seen in its
 * review.
 */
import 'reflect-metadata';
import './one-copy.js';

export {
  GRANT,
  type GrantDecision,
  type GrantedUser,
  type GrantParameter,
  type GrantQuestion,
  type GrantRefusal,
  type OwnGrant,
} from '../client/own-grant.js';
export type { Seam } from '../foundation/extension/seam.js';
export type { PageParts } from '../foundation/page/own-look.js';
export { PAGE_VIEW, type PageView } from '../foundation/page/page-view.js';
