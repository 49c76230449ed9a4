import { Injectable } from '@nestjs/common';
import { EXAMPLE } from '../admin/kit/wire/example-ids.js';
import { IssuerConfig } from '../foundation/config/config.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { ClientDirectory } from '../project/client/client-directory.js';
import { DOCUMENTATION_CLIENT_ID } from '../project/client/documentation-client.js';
import { Managers } from '../user/permission/managers.js';

/** How many objects are searched for one that exists since the first start. */
const FIRST = { offset: 0n, limit: 20, ascending: true, where: [] } as const;

/** The ids of objects that exist since the first start, by their ids in the examples. */
@Injectable()
export class StandingIds {
  constructor(
    private readonly instances: InstanceService,
    private readonly clients: ClientDirectory,
    private readonly managers: Managers,
    private readonly issuer: IssuerConfig,
  ) {}

  async find(): Promise<ReadonlyMap<string, string>> {
    const { id, defaultOrgId, systemProjectId } = await this.instances.get();
    const [application, administrator] = await Promise.all([
      this.findDocumentation(systemProjectId),
      this.findAdministrator(id),
    ]);
    const ids: ReadonlyArray<readonly [string, string | undefined]> = [
      [EXAMPLE.instance, id],
      [EXAMPLE.org, defaultOrgId],
      [EXAMPLE.systemProject, systemProjectId],
      [EXAMPLE.documentationApp, application],
      [EXAMPLE.administrator, administrator],
    ];
    return new Map(ids.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  private async findDocumentation(systemProjectId: string): Promise<string | undefined> {
    const { rows } = await this.clients.list(systemProjectId, { ...FIRST, sortBy: 'name' });
    return rows.find(({ clientId }) => clientId === DOCUMENTATION_CLIENT_ID)?.id;
  }

  /** In production, the managers of the instance are not revealed without signing in. */
  private async findAdministrator(instanceId: string): Promise<string | undefined> {
    if (this.issuer.production) return undefined;
    const object = { level: 'instance', objectId: instanceId, orgId: instanceId } as const;
    const { rows } = await this.managers.list(object, { ...FIRST, sortBy: 'userId' });
    return rows.find(({ userType }) => userType === 'human')?.userId;
  }
}
