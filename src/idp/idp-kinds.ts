import { Injectable } from '@nestjs/common';
import { ExtKindSignIn } from './ext-kind-sign-in.js';
import { ExtKinds } from './ext-kinds.js';
import type { IdpType } from './idp.entity.js';
import { isExtType } from './idp.entity.js';
import { JwtSignIn } from './jwt-sign-in.js';
import { OidcSignIn } from './oidc-sign-in.js';
import type { ProviderKind } from './provider-kind.js';

/** How users sign in at the providers of each type: those of the product and those of extensions. */
@Injectable()
export class IdpKinds {
  constructor(
    private readonly oidc: OidcSignIn,
    private readonly jwt: JwtSignIn,
    private readonly own: ExtKindSignIn,
    private readonly extKinds: ExtKinds,
  ) {}

  /** Undefined for a directory, and for a kind of an extension that this process has not loaded. */
  find(type: IdpType): ProviderKind | undefined {
    if (isExtType(type)) return this.extKinds.findSite(type) && this.own;
    return type === 'oidc' ? this.oidc : this.jwt;
  }

  /** Whether users of the type type their name and password on a page of ours. */
  isDirectory(type: IdpType): boolean {
    return this.extKinds.findDirectory(type) !== undefined;
  }

  /** Whether users can sign in at providers of the type. */
  has(type: IdpType): boolean {
    return this.isDirectory(type) || this.find(type) !== undefined;
  }
}
