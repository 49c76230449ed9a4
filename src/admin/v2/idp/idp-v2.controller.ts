import { Controller, Get } from '@nestjs/common';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { callbackUrl } from '../../../idp/callback-url.js';
import { idpNotFound } from '../../../idp/idp.errors.js';
import { IdpService } from '../../../idp/idp.service.js';
import { IdpKinds } from '../../../idp/idp-kinds.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { toProvider } from '../../idp/provider-config.mapping.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { toDetailsV2 } from '../kit/object.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { GetIdpByIdRequestV2, GetIdpByIdResponseV2 } from './idp.dto.js';

@Tagged('Identity providers v2')
@Controller('v2/idps')
@InService('idp')
export class IdpV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly idps: IdpService,
    private readonly kinds: IdpKinds,
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
  ) {}

  @Get(':id')
  @Requires('org.idp.read', { named: true })
  @Operation({
    id: 'GetIDPByIDV2',
    sameAs: ['GetIDPByID', 'GetOrgIDPByID'],
    summary: 'Get an identity provider',
    description:
      'Of any organization, or of the instance: whoever may read those of an organization may read these as well. Never returns a secret.',
    request: GetIdpByIdRequestV2,
    returns: GetIdpByIdResponseV2,
    refuses: [idpNotFound()],
  })
  async get(@Asking() caller: Caller, @Message() { id }: GetIdpByIdRequestV2): Promise<GetIdpByIdResponseV2> {
    const actor = await this.reach.idp(caller, 'org.idp.read', id);
    const { id: instanceId } = await this.instances.get();
    const found = await this.idps.get([actor.orgId, instanceId], id);
    const { state, name, type, config } = toProvider(found, instanceId, this.kinds.has(found.type));
    const idp = { id, details: toDetailsV2(found, found.ownerId), state, name, type, config };
    return { idp, callbackUrl: callbackUrl(found, this.issuer) };
  }
}
