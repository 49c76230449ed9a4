import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import type { Details } from '../../database/recorded.js';
import { InstanceService } from '../../instance/instance.service.js';
import type { Actor } from '../../permission/actor.js';
import { LabelService } from '../../policy/label.service.js';
import { LoginFactorService } from '../../policy/login-factor.service.js';
import { PolicyService } from '../../policy/policy.service.js';
import { toOwnDetails, type DetailsResponse } from '../wire/details.dto.js';

/** What the controllers of policies need: they differ in whose policy it is. */
@Injectable()
export class PolicyOperations {
  constructor(
    readonly policies: PolicyService,
    readonly labels: LabelService,
    readonly factors: LoginFactorService,
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
  ) {}

  get publicUrl(): string {
    return this.issuer.publicUrl;
  }

  async instanceId(): Promise<string> {
    return (await this.instances.get()).id;
  }

  /** One change of what an organization owns: that of the actor's choice, unless the request names another. */
  async ofOrg(actor: Actor, work: (tx: Transaction, orgId: string, editorId: string) => Promise<Details>, orgId = actor.orgId): Promise<DetailsResponse> {
    return { details: toOwnDetails(await this.database.transaction((tx) => work(tx, orgId, actor.userId))) };
  }

  /** One change of what the instance owns. */
  async ofInstance(actor: Actor, work: (tx: Transaction, instanceId: string, editorId: string) => Promise<Details>): Promise<DetailsResponse> {
    return this.ofOrg(actor, work, await this.instanceId());
  }
}
