import { type AdminApi, startWorld, type TestOrg, type TestPerson, type World } from 'gatehouse/testing';
import saml from '../../src/saml.extension.js';
import { type ServiceProviderInput, ServiceProviderPeer } from './service-provider.js';
import { Visitor } from './visitor.js';

/** An organization with a project, its owner, and applications and people of them. */
export class Stage {
  private constructor(
    readonly world: World,
    readonly org: TestOrg,
    readonly owner: AdminApi,
    readonly projectId: string,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const world = await startWorld({ extensions: [saml], env });
    const org = await world.add.organization();
    const owner = await world.manager(['ORG_OWNER'], org);
    return new Stage(world, org, owner, await addProject(owner, 'Tools'));
  }

  get path(): string {
    return `/management/v1/ext/saml/projects/${this.projectId}/applications`;
  }

  async project(settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
    count += 1;
    return addProject(this.owner, `Project ${count}`, settings);
  }

  async application(given: ServiceProviderInput = {}, projectId = this.projectId): Promise<ServiceProviderPeer> {
    return ServiceProviderPeer.register(this.world, this.owner, projectId, given);
  }

  async visitor(person?: TestPerson): Promise<Visitor> {
    return Visitor.arrive(this.world, person ?? (await this.world.add.user({ org: this.org })));
  }

  async close(): Promise<void> {
    await this.world.close();
  }
}

let count = 0;

async function addProject(
  owner: AdminApi,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await owner.call<{ id: string }>('POST', '/management/v1/projects', { name, ...settings });
  return id;
}
