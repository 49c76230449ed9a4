import { Injectable } from '@nestjs/common';
import { REGISTERED } from '../../token/claims/claims-contributor.js';
import { ContributedClaims } from '../../token/claims/contributed-claims.js';
import { LEFT_OUT } from '../../token/claims/fitting-claims.js';
import { Urn } from '../../token/claims/urn.js';
import { GROUPS, scopeOfClaim } from '../../token/claims/user-claims.js';
import { OF_ONE_TOKEN } from '../../token/token-previews.js';
import { ApplicationLinks } from './application-links.js';
import { type TokenCase, tokensWith } from './token-case.js';
import { SPOKEN, TOKENS, type TokenLink, tokenLink } from './token-link.js';
import { listed } from './wording.js';

/** Says of each claim which rule has put it into a token, or why none has. */
@Injectable()
export class ClaimLinks {
  constructor(
    private readonly contributed: ContributedClaims,
    private readonly applications: ApplicationLinks,
    private readonly urn: Urn,
  ) {}

  /** Every claim that is in any of the answers. */
  async present(given: TokenCase): Promise<TokenLink[]> {
    const names = new Set(TOKENS.flatMap((token) => Object.keys(given.preview[token] ?? {})));
    return Promise.all([...names].map((name) => this.origin(given, name)));
  }

  /** About one claim: where it is and why, or the first reason for which it is nowhere. */
  async about(given: TokenCase, claim: string): Promise<TokenLink[]> {
    if (tokensWith(given, claim).length === 0) return [this.absence(given, claim)];
    const missing = await this.missingInIdToken(given, claim);
    return [await this.origin(given, claim), ...(missing ? [missing] : [])];
  }

  /** Whether the claim tells roles, about which `RoleLinks` speaks. */
  isOfRoles(claim: string): boolean {
    return claim === 'roles' || claim === this.urn.projectRolesClaim || /:org:project:[^:]+:roles$/.test(claim);
  }

  private async origin(given: TokenCase, claim: string): Promise<TokenLink> {
    const tokens = tokensWith(given, claim);
    const where = listed(tokens.map((token) => SPOKEN[token]));
    const said = { isPresent: true, claim, tokens } as const;
    const is = `${claim} is in ${where}`;
    if (claim === LEFT_OUT)
      return tokenLink({
        ...said,
        code: 'left_out',
        sentence: `${is}, because the token would be too long with all claims.`,
      });
    if (this.isOfRoles(claim)) return { ...said, ...(await this.ofRoles(given, is)), role: '', mends: [] };
    const extension = this.contributed.extensionOf(claim);
    if (extension !== undefined) {
      const sentence = `${is}: the extension ${extension} puts it there.`;
      return tokenLink({ ...said, code: 'extension', sentence });
    }
    const scope = this.scopesOf(claim).find((one) => given.preview.scopes.includes(one));
    if (scope === undefined)
      return tokenLink({ ...said, code: 'protocol', sentence: `${is}: the protocol has it in all of these.` });
    const byScope = `${is}: the scope ${scope} gives it.`;
    const isOfProfile = scopeOfClaim(claim) !== undefined;
    if (!isOfProfile || !tokens.includes('idToken') || !given.client.settings.idTokenUserinfoAssertion)
      return tokenLink({ ...said, code: 'scope', sentence: byScope });
    const voice = await this.applications.setting(given, given.found, 'idTokenUserinfoAssertion');
    const sentence = `${byScope} ${voice.says('gets the claims of its scopes in the ID token as well')}`;
    return tokenLink({ ...said, code: 'scope', sentence, rule: voice.rule });
  }

  private async ofRoles(given: TokenCase, is: string): Promise<Pick<TokenLink, 'code' | 'sentence' | 'rule'>> {
    const { client, found, question } = given;
    if (question?.roleKeys)
      return { code: 'role_scope', sentence: `${is}: the request asks for roles by their scopes.` };
    if (client.project.projectRoleAssertion) {
      const voice = await this.applications.projectSetting(given, found, 'projectRoleAssertion');
      return {
        code: 'project_asserts_roles',
        sentence: `${is}. ${voice.says('has the roles of users told without being asked')}`,
        rule: voice.rule,
      };
    }
    if (!client.assertsRoles)
      return { code: 'introspection', sentence: `${is}: introspection always tells the roles of its own project.` };
    const setting = client.settings.accessTokenRoleAssertion ? 'accessTokenRoleAssertion' : 'idTokenRoleAssertion';
    const voice = await this.applications.setting(given, found, setting);
    return {
      code: 'application_asserts_roles',
      sentence: `${is}. ${voice.says('gets the roles of users without asking')}`,
      rule: voice.rule,
    };
  }

  /** Where an ID token comes with an access token, applications read the claims of scopes from userinfo. */
  private async missingInIdToken(given: TokenCase, claim: string): Promise<TokenLink | undefined> {
    const { preview, sight, found } = given;
    const isOfProfile = scopeOfClaim(claim) !== undefined;
    if (!isOfProfile || Object.hasOwn(preview.idToken, claim)) return undefined;
    const voice = await this.applications.setting(given, found, 'idTokenUserinfoAssertion');
    const parameters = { applicationId: found.id, oidcConfiguration: { idTokenUserinfoAssertion: true } };
    return tokenLink({
      code: 'not_in_this_token',
      isPresent: false,
      claim,
      sentence: `${claim} is not in the ID token. ${voice.says('reads the claims of its scopes from userinfo')}`,
      rule: voice.rule,
      mends: [
        sight.mend({
          operationId: 'UpdateApplicationV2',
          permission: 'project.app.write',
          parameters,
          reach: { orgId: found.orgId, projectId: found.projectId },
        }),
      ],
    });
  }

  private absence(given: TokenCase, claim: string): TokenLink {
    const { preview, name } = given;
    const absent = (code: TokenLink['code'], sentence: string): TokenLink =>
      tokenLink({ code, isPresent: false, claim, sentence });
    if (OF_ONE_TOKEN.includes(claim))
      return absent('only_in_real_tokens', `${claim} is in tokens that are issued; a preview leaves it out.`);
    if (preview.leftOutClaims.includes(claim))
      return absent('left_out', `${claim} was left out, because the token would be too long. Userinfo has it.`);
    const scopes = this.scopesOf(claim);
    const extension = this.contributed.extensionOf(claim);
    if (scopes.length > 0) {
      const granted = scopes.find((scope) => preview.scopes.includes(scope));
      if (granted === undefined) {
        const dropped = scopes.find((scope) => preview.droppedScopes.includes(scope));
        return dropped === undefined
          ? absent(
              'scope_not_asked',
              `The request does not ask for the scope ${listed(scopes, 'or')}, which gives ${claim}.`,
            )
          : absent('scope_dropped', `The request asks for the scope ${dropped}, but the application does not get it.`);
      }
      return extension === undefined
        ? absent('no_value', `The scope ${granted} was granted, but ${name} has nothing to say as ${claim}.`)
        : absent(
            'extension_silent',
            `The extension ${extension} was asked for ${claim} and had nothing to say about ${name}.`,
          );
    }
    return REGISTERED.has(claim) || claim.startsWith('urn:')
      ? absent(
          'reserved',
          `The meaning of ${claim} is fixed by a standard or by the service, and nothing gives it here.`,
        )
      : absent(
          'claim_unknown',
          `Nothing here makes a claim ${claim}: neither a scope nor an extension that is loaded.`,
        );
  }

  /** The scopes that give the claim away. */
  private scopesOf(claim: string): readonly string[] {
    const ofProfile = scopeOfClaim(claim);
    if (ofProfile !== undefined) return [ofProfile];
    if (claim === GROUPS) return [GROUPS];
    if (claim === this.urn.metadataClaim) return [this.urn.metadata];
    if (claim.startsWith(this.urn.resourceOwner)) return [this.urn.resourceOwner];
    return this.contributed.scopesOf(claim);
  }
}
