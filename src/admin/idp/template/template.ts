import type { Type } from '@nestjs/common';
import type { JsonObject } from '../../../foundation/outbound/outbound-client.js';
import type { ExtIdpType } from '../../../idp/idp.entity.js';
import type { AddedProvider } from '../provider.dto.js';
import type { ProviderOptions } from '../provider-options.dto.js';

/** What every request has that adds or changes a provider of a vendor. */
export interface VendorRequest {
  readonly name: string;
  readonly clientId: string;
  /** Absent where the vendor has none. */
  readonly clientSecret?: string;
  readonly providerOptions?: ProviderOptions;
}

/**
 * Operations for the providers of one vendor: requests in its words, over a kind of an extension. They can do nothing
 * that those for all kinds cannot.
 */
export interface VendorTemplate<Add extends VendorRequest = VendorRequest, Update extends VendorRequest = Add> {
  /** As the names of its operations have it: `AddGoogleProvider`. */
  readonly word: string;
  /** As sentences name it, with its article. */
  readonly vendor: string;
  /** Below `/idps`. */
  readonly path: string;
  /** Whether one of the instance is changed by POST, as in the API that the operations come from. */
  readonly isPosted?: boolean;
  readonly kind: ExtIdpType;
  readonly add: Type<Add>;
  readonly update: Type<Update & { readonly id: string }>;
  /** Of the instance's, and of an organization's. */
  readonly added: readonly [instance: Type<AddedProvider>, org: Type<AddedProvider>];
  readonly exampleIds: readonly [instance: string, org: string];
  /**
   * The settings of the kind that the request names; others stay as they are.
   * @throws DomainError InvalidArgument `request.invalid` for what the kind cannot do
   */
  settingsIn(request: Add | Update): JsonObject;
}
