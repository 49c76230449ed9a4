import { saidIn } from '../kit/wire/declared-field.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Flag, Named, Part, Texts } from '../kit/wire/fields.js';

@Named('SetSecurityPolicyRequest')
export class SetSecurityPolicyRequest {
  @Flag(1, { description: 'Not supported: pages are never shown in frames. Only false is accepted.', example: false })
  readonly enableIframeEmbedding!: boolean;

  @Texts(2, { maxItems: 0, description: 'Not supported, because pages are never shown in frames. Must be empty.' })
  readonly allowedOrigins!: readonly string[];

  @Flag(3, {
    description:
      'Whether users with an impersonator role may act for other users, by exchanging tokens (RFC 8693). When it is turned off, the tokens of those who act for others become invalid.',
    example: false,
  })
  readonly enableImpersonation!: boolean;
}

const said = saidIn(SetSecurityPolicyRequest);

@Named('SecurityPolicy')
export class SecurityPolicy {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, { description: 'Always false: pages are never shown in frames.', example: false })
  readonly enableIframeEmbedding!: boolean;

  @Texts(3, { description: 'Always empty.' })
  readonly allowedOrigins!: readonly string[];

  @Flag(4, said('enableImpersonation'))
  readonly enableImpersonation!: boolean;
}

@Named('SecurityPolicyResponse')
export class SecurityPolicyResponse {
  @Part(1, () => SecurityPolicy)
  readonly policy!: SecurityPolicy;
}
