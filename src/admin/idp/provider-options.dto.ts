import type { ValueOf } from '../../foundation/http/wire-enum.js';
import type { Idp } from '../../idp/idp.entity.js';
import { AUTO_LINKING_OPTION } from '../../idp/idp.enums.js';
import type { CommonSettings } from '../../idp/new-idp.js';
import { mayCreate, type ProviderOptions as OptionsOfUsers } from '../../idp/provider-options.js';
import { Choice, Flag, Named } from '../kit/wire/fields.js';
import { AutoRegister } from './idp-fields.js';

/** What users of a provider may do. */
@Named('ProviderOptions')
export class ProviderOptions {
  @Flag(1, {
    description:
      'Whether users may link an account here with their account at the provider, on a page of the sign-in, on the account page or by an import of the user.',
    example: true,
  })
  readonly isLinkingAllowed!: boolean;

  @Flag(2, {
    description:
      'Whether users who sign in for the first time may get an account. If not, `isAutoCreation` has no effect.',
    example: true,
  })
  readonly isCreationAllowed!: boolean;

  @AutoRegister(3)
  readonly isAutoCreation!: boolean;

  @Flag(4, {
    description:
      'Whether the names of users follow what the provider says at each sign-in. Addresses and numbers do not: their owners prove them here.',
    example: false,
  })
  readonly isAutoUpdate!: boolean;

  @Choice(5, AUTO_LINKING_OPTION, {
    description:
      'By what an existing account should be found. Stored and shown: users are offered to link an account that has their verified address, and sign in to it once; nothing is linked by a name or an address alone.',
    example: 'AUTO_LINKING_OPTION_UNSPECIFIED',
  })
  readonly autoLinking!: ValueOf<typeof AUTO_LINKING_OPTION>;
}

/** Without options, users may link accounts and get none. */
export function fromOptions(given: ProviderOptions | undefined): Pick<CommonSettings, 'autoRegister' | 'options'> {
  if (!given) return { autoRegister: false };
  const { isLinkingAllowed, isCreationAllowed, isAutoCreation, isAutoUpdate, autoLinking } = given;
  return { autoRegister: isAutoCreation, options: { isLinkingAllowed, isCreationAllowed, isAutoUpdate, autoLinking } };
}

export function toOptions(idp: OptionsOfUsers & Pick<Idp, 'autoRegister'>): ProviderOptions {
  const { isLinkingAllowed, autoRegister, isAutoUpdate, autoLinking } = idp;
  return {
    isLinkingAllowed,
    isCreationAllowed: mayCreate(idp),
    isAutoCreation: autoRegister,
    isAutoUpdate,
    autoLinking,
  };
}
