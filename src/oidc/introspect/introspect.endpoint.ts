import { Injectable } from '@nestjs/common';
import { AudienceRules } from '../../token/audience-rules.js';
import { Urn } from '../../token/claims/urn.js';
import { TokenAnswers } from '../../token/token-answers.js';
import { TokenReader } from '../../token/token-reader.js';
import { askedBy } from '../../token/token-status.js';
import type { AuthenticatedClient } from '../client-auth/client-authenticator.js';

/** RFC 7662 §2.2. Inactive is exactly `{"active":false}`, without a reason. */
export type IntrospectionResponse = { readonly active: boolean } & Readonly<Record<string, unknown>>;

@Injectable()
export class IntrospectEndpoint {
  constructor(
    private readonly tokens: TokenReader,
    private readonly answers: TokenAnswers,
    private readonly urn: Urn,
    private readonly audiences: AudienceRules,
  ) {}

  async introspect(token: string, client: AuthenticatedClient): Promise<IntrospectionResponse> {
    const projectId = client.project.id;
    const living = await this.tokens.findShown(token, async ({ personal, audience, scopes }) => {
      // Only those for whom the token is meant learn anything about it. A personal access token names no audience: its
      // holder may give it to any application, so that only applications with which its user is related learn of it
      // (docs/adr/0001).
      const isShown = personal && !client.describesItself;
      if (!isShown && !(await this.audiences.isMeantFor(audience, client))) return undefined;
      return { projectIds: [projectId], ...askedBy(scopes, this.urn), forProjectId: projectId };
    });
    if (!living) return { active: false };
    return this.answers.introspection(living, client);
  }
}
