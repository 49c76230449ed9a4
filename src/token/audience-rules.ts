import { Injectable } from '@nestjs/common';
import type { Client } from '../project/client/client.js';
import { ResourceDirectory } from '../project/resource-directory.js';

/** Whom a token is meant for. */
@Injectable()
export class AudienceRules {
  constructor(private readonly resources: ResourceDirectory) {}

  /** A token for a protected resource is meant for the project that owns it (RFC 8707 §2). */
  async isMeantFor(audience: readonly string[], { id, project, describesItself }: Client): Promise<boolean> {
    if (audience.includes(id)) return true;
    // No administrator has decided that a client which describes itself may receive the tokens of its project.
    if (describesItself) return false;
    if (audience.includes(project.id)) return true;
    const found = await Promise.all(audience.map((uri) => this.resources.find(uri)));
    return found.some((resource) => resource?.projectId === project.id);
  }
}
