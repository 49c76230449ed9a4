import type { Idp } from './idp.entity.js';

/** What users may do with a provider, beside `autoRegister`: accounts that are made without a question. */
export type ProviderOptions = Pick<Idp, 'isLinkingAllowed' | 'isCreationAllowed' | 'isAutoUpdate' | 'autoLinking'>;

type Creation = Pick<Idp, 'isCreationAllowed' | 'autoRegister'>;

/** Whether users without an account here may get one. */
export function mayCreate({ isCreationAllowed, autoRegister }: Creation): boolean {
  return isCreationAllowed ?? autoRegister;
}

/** Whether they get it without being asked. */
export function createsAtOnce(idp: Creation): boolean {
  return idp.autoRegister && mayCreate(idp);
}
