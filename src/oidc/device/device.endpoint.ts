import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { LoginConfig } from '../../foundation/config/config.js';
import type { Form } from '../../foundation/http/form.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds } from '../../foundation/time/duration.js';
import { ScopeRules } from '../../token/claims/scope.js';
import { type BegunDevice, DeviceAuthorizations } from '../../token/device/device-authorizations.js';
import { RequiredOrgs } from '../authorize/required-orgs.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import type { Credentials } from '../client-auth/credentials.js';
import { DroppedScopes } from '../dropped-scopes.js';
import { refusal } from '../oidc.errors.js';
import { readScopes } from '../parameters.js';
import { RequestedResources } from '../requested-resources.js';

/** Public clients need no credentials, so that anybody may ask in their name. */
const MOST_PER_NETWORK = 30;

/** RFC 8628 §3.1: a device asks for its two codes. */
@Injectable()
export class DeviceEndpoint {
  private readonly rate = new RequestRate(MOST_PER_NETWORK, seconds.perMinute);

  constructor(
    private readonly clientAuth: ClientAuthenticator,
    private readonly scopeRules: ScopeRules,
    private readonly dropped: DroppedScopes,
    private readonly requiredOrgs: RequiredOrgs,
    private readonly resources: RequestedResources,
    private readonly devices: DeviceAuthorizations,
    private readonly limits: LoginConfig,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws OAuthError as RFC 6749 §5.2 says
   * @throws DomainError ResourceExhausted for too many requests from one network, or too many open codes of a client
   */
  async authorize(form: Form, credentials: Credentials | undefined, address: string): Promise<BegunDevice> {
    if (this.limits.limits) this.rate.count(networkOf(address), this.clock.now());
    const client = await this.clientAuth.authenticate(credentials, address);
    if (!client.mayUse('device_code')) throw refusal.grantNotAllowed();
    const requested = readScopes(form) ?? [];
    const scopes = await this.scopeRules.grantToClient(requested, client, true);
    this.dropped.note(client.id, requested, scopes);
    if (requested.length > 0 && scopes.length === 0) throw refusal.scopeUnknown();
    const resources = await this.resources.read(form);
    const requiredOrgId = await this.requiredOrgs.find(requested);
    const begun = await this.devices.begin({ client, scopes, resources, requiredOrgId, address });
    this.tallies.add('devices', 'begun');
    return begun;
  }
}
