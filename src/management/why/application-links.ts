import { Injectable } from '@nestjs/common';
import { clientNotFound } from '../../project/client/client.errors.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { ClientDirectory, type FoundClient } from '../../project/client/client-directory.js';
import { SERVICE_PAGES } from '../../project/client/service-pages.js';
import type { Case } from './case.js';
import { type Link, link } from './link.js';
import { madeBy, type Rules } from './rules.js';
import type { Sight } from './sight.js';
import { type Change, HIDDEN, sinceWhen, type Voice } from './wording.js';

/** The application of a sign-in. */
export interface ExplainedApplication {
  /** Undefined if it takes no sign-ins now. */
  readonly client: Client | undefined;
  /** Undefined for the pages of the service itself, and for one that the caller may not read. */
  readonly found: FoundClient | undefined;
  /** `Shop`, `the application`; empty for the pages of the service itself. */
  readonly name: string;
}

/** Who asks, and what they know of rules. */
type Asking = Pick<Case, 'sight' | 'rules'>;

const OWN_PAGES: ExplainedApplication = { client: SERVICE_PAGES, found: undefined, name: '' };
const NAMELESS = 'the application';

/** Finds the application, and says what about it keeps everybody out. */
@Injectable()
export class ApplicationLinks {
  constructor(
    private readonly directory: ClientDirectory,
    private readonly clients: ClientService,
  ) {}

  /**
   * The client id is public, and each sign-in shows it; whoever names an application otherwise must be allowed to read
   * it.
   * @throws DomainError NotFound `client.not_found`
   */
  async find({ sight, user }: Pick<Case, 'sight' | 'user'>, named: string): Promise<ExplainedApplication> {
    if (named === '') return OWN_PAGES;
    const found = (await this.directory.findByEitherId(named)) ?? (await this.findByName(sight, user.orgId, named));
    if (!found) throw clientNotFound();
    const isReadable = mayRead(sight, found);
    if (!isReadable && found.clientId !== named) throw clientNotFound();
    const client = found.kind === 'oidc' ? await this.clients.findActive(found.clientId) : undefined;
    return isReadable ? { client, found, name: found.name } : { client, found: undefined, name: NAMELESS };
  }

  async of({ sight, rules }: Asking, application: ExplainedApplication): Promise<Link[]> {
    const { client, found } = application;
    if (client) return [];
    if (!found) {
      const sentence = 'The application takes no sign-ins at present. You may not read why.';
      return [link({ code: 'application_unavailable', effect: 'refuses', sentence })];
    }
    const { id, projectId, orgId } = found;
    const reach = { orgId, projectId };
    const links: Link[] = [];
    if (found.kind !== 'oidc') {
      const sentence = `${found.name} signs nobody in: it is an API, which only asks about tokens.`;
      links.push(link({ code: 'application_not_for_people', effect: 'refuses', sentence }));
    }
    if (found.state !== 'active') {
      const change = await deactivated(rules, 'client', id);
      const mend = { operationId: 'ReactivateApp', permission: 'project.app.write' } as const;
      links.push(
        link({
          code: 'application_inactive',
          effect: 'refuses',
          sentence: `The application ${found.name} has been deactivated${sinceWhen(change)}: nobody can sign in to it.`,
          rule: { ...STATE, ownerType: 'application', ownerId: id, ownerName: found.name, ...ofChange(change) },
          mends: [sight.mend({ ...mend, parameters: { projectId, appId: id }, reach })],
        }),
      );
    }
    if (found.projectState !== 'active' && sight.may('project.read', reach)) {
      const change = await deactivated(rules, 'project', projectId);
      const mend = { operationId: 'ReactivateProject', permission: 'project.write' } as const;
      const { projectName } = found;
      links.push(
        link({
          code: 'project_inactive',
          effect: 'refuses',
          sentence: `The project ${projectName} has been deactivated${sinceWhen(change)}: nobody can sign in to its applications.`,
          rule: { ...STATE, ownerType: 'project', ownerId: projectId, ownerName: projectName, ...ofChange(change) },
          mends: [sight.mend({ ...mend, parameters: { id: projectId }, reach })],
        }),
      );
    }
    if (found.orgState !== 'active') links.push(await this.inactiveOrg({ sight, rules }, found));
    return links;
  }

  /** A setting of the project, if the caller may read it. */
  async projectSetting({ sight, rules }: Asking, found: FoundClient | undefined, setting: string): Promise<Voice> {
    if (!found || !sight.may('project.read', { orgId: found.orgId, projectId: found.projectId })) return HIDDEN;
    return rules.own({
      subject: `Project ${found.projectName}`,
      name: 'project',
      setting,
      ownerType: 'project',
      ownerId: found.projectId,
      ownerName: found.projectName,
      aggregateType: 'project',
    });
  }

  async setting({ rules }: Pick<Asking, 'rules'>, found: FoundClient | undefined, setting: string): Promise<Voice> {
    if (!found) return HIDDEN;
    return rules.own({
      subject: `The application ${found.name}`,
      name: 'application',
      setting,
      ownerType: 'application',
      ownerId: found.id,
      ownerName: found.name,
      aggregateType: 'client',
    });
  }

  private async inactiveOrg({ sight, rules }: Asking, { orgId, name }: FoundClient): Promise<Link> {
    const owner = await rules.nameOfOrg(orgId);
    const change = await deactivated(rules, 'org', orgId);
    return link({
      code: 'application_organization_inactive',
      effect: 'refuses',
      sentence: `The application ${name} belongs to ${owner.spoken}, which has been inactive${sinceWhen(change)}.`,
      rule: { ...STATE, ownerType: 'organization', ownerId: orgId, ownerName: owner.name, ...ofChange(change) },
      mends: [sight.mend({ operationId: 'ReactivateOrg', permission: 'org.write', reach: { orgId } })],
    });
  }

  private async findByName(sight: Sight, orgId: string, name: string): Promise<FoundClient | undefined> {
    const readable = (await this.directory.findByName(orgId, name)).filter((one) => mayRead(sight, one));
    return readable.length === 1 ? readable[0] : undefined;
  }
}

function deactivated(rules: Rules, noun: string, id: string): Promise<Change | undefined> {
  return rules.change({ aggregateType: noun, aggregateId: id, types: [`${noun}.deactivated`] });
}

const STATE = { name: 'state', setting: '' } as const;

function ofChange(change: Change | undefined): ReturnType<typeof madeBy> {
  return { ...madeBy(change), isDefault: false };
}

function mayRead(sight: Sight, { orgId, projectId }: FoundClient): boolean {
  return sight.may('project.app.read', { orgId, projectId });
}
