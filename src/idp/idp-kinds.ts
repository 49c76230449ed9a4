import { Injectable } from '@nestjs/common';
import type { IdpType } from './idp.entity.js';
import { isOwnType } from './idp.entity.js';
import { JwtSignIn } from './jwt-sign-in.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { OwnKindSignIn } from './own-kind-sign-in.js';
import { OwnKinds } from './own-kinds.js';
import type { ProviderKind } from './provider-kind.js';

/** How users sign in at the providers of each type: those of the product and those of extensions. */
@Injectable()
export class IdpKinds {
  constructor(
    private readonly oidc: OidcSignIn,
    private readonly jwt: JwtSignIn,
    private readonly own: OwnKindSignIn,
    private readonly ownKinds: OwnKinds,
  ) {}

  /** Undefined for a kind of an extension that this process has not loaded. */
  find(type: IdpType): ProviderKind | undefined {
    if (isOwnType(type)) return this.ownKinds.find(type) && this.own;
    return type === 'oidc' ? this.oidc : this.jwt;
  }

  /** Whether users can sign in at providers of the type. */
  has(type: IdpType): boolean {
    return this.find(type) !== undefined;
  }
}
