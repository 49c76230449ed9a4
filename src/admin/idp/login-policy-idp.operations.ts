import { Injectable } from '@nestjs/common';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { LoginPolicyIdps } from '../../idp/login-policy-idps.js';
import { IdentityProviders } from '../../management/idp/identity-providers.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { Level } from '../kit/level.js';
import { type DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import {
  type ListLoginPolicyIdpsRequest,
  type ListLoginPolicyIdpsResponse,
  toPolicyLinks,
} from './login-policy-idp.dto.js';

/** The operations on listed providers, which differ in nothing but the owner: the instance or an organization. */
@Injectable()
export class LoginPolicyIdpOperations {
  constructor(
    private readonly instances: InstanceService,
    private readonly providers: IdentityProviders,
    private readonly listed: LoginPolicyIdps,
  ) {}

  async ownerAt(level: Level, actor: Actor): Promise<IdpOwner> {
    return { level: level.name, id: await level.ownerId(actor, this.instances) };
  }

  async list(owner: IdpOwner, { query }: ListLoginPolicyIdpsRequest): Promise<ListLoginPolicyIdpsResponse> {
    const instance = await this.instances.get();
    const page = await this.listed.list(owner.id, instance.id, toRange(query));
    return {
      details: toListDetails(page),
      result: toPolicyLinks(page.rows),
    };
  }

  async add(owner: IdpOwner, ownerOfIdp: IdpOwner, actor: Actor, idpId: string): Promise<DetailsResponse> {
    return { details: toAddedDetails(await this.providers.list(owner, actor, ownerOfIdp, idpId), owner.id) };
  }

  async remove(owner: IdpOwner, actor: Actor, idpId: string): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.providers.unlist(owner, actor, idpId), owner.id) };
  }
}
