import { Injectable } from '@nestjs/common';
import type { Form } from '../../../foundation/http/form.js';
import { DeviceRedemption, type DeviceRefusal } from '../../../token/device/device-redemption.js';
import { RefreshTokens } from '../../../token/refresh-tokens.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { type OAuthError, refusal } from '../../oidc.errors.js';
import { required } from '../../parameters.js';
import type { ClientGrant, RequestFacts } from './grant.js';

/** RFC 8628 §3.4. */
@Injectable()
export class DeviceCodeGrant implements ClientGrant {
  readonly type = 'urn:ietf:params:oauth:grant-type:device_code';
  readonly actsFor = 'client';
  readonly registeredAs = 'device_code';

  constructor(
    private readonly devices: DeviceRedemption,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  async exchange(form: Form, client: AuthenticatedClient, { proof }: RequestFacts): Promise<Entitlement> {
    const redeemed = await this.devices.redeem(required(form, 'device_code'), client, proof?.thumbprint);
    if ('refusal' in redeemed) throw toRefusal(redeemed.refusal, client.id);
    return {
      userId: redeemed.subject.userId,
      userEpoch: redeemed.subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes: redeemed.grantedScopes.filter((scope) => scope !== 'offline_access' || redeemed.hasFamily),
      resources: redeemed.grantedResources,
      familyId: redeemed.id,
      sessionId: redeemed.sessionId,
      userinfoClaims: [],
      subject: redeemed.subject,
      signIn: {
        authTime: redeemed.authTime,
        amr: redeemed.amr,
        acrRequested: false,
        nonce: undefined,
        claimNames: [],
      },
      refreshToken: redeemed.hasFamily ? this.refreshTokens.first(redeemed.id) : undefined,
    };
  }
}

/** RFC 8628 §3.5. */
function toRefusal(reason: DeviceRefusal, clientId: string): OAuthError {
  switch (reason) {
    case 'pending':
      return refusal.devicePending();
    case 'too-early':
      return refusal.deviceTooEarly();
    case 'expired':
      return refusal.deviceExpired();
    case 'denied':
    case 'user-not-active':
      return refusal.deviceDenied(reason, { clientId });
    case 'unknown':
    case 'of-another-client':
    case 'used':
      return refusal.deviceCodeRefused(reason, { clientId });
  }
}
