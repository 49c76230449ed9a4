import { Injectable } from '@nestjs/common';
import type { LinkedIdp } from '../../idp/idp-links.js';
import { IdpSearch, type NamedIdp } from '../../idp/idp-search.js';
import { OfferedIdps } from '../../idp/offered-idps.js';
import { mayCreate } from '../../idp/provider-options.js';
import type { Candidate } from '../../session/candidate.js';
import { type Case, type Method, reachOf } from './case.js';
import { type Link, link } from './link.js';
import { loginPolicyMends } from './policy-mends.js';
import { madeBy } from './rules.js';
import { sinceWhen } from './wording.js';

/** More accounts at providers than people have: each costs a few look-ups (ADM-066). */
const MOST_PROVIDERS = 5;

/** A way to prove who one is, and what is in its way. */
export interface Way {
  readonly method: Method;
  /** `with the password`, `through Corp SSO` */
  readonly spoken: string;
  readonly idpId?: string;
  readonly isLinked?: boolean;
  readonly problems: readonly Link[];
}

/** The organizations whose policies apply to the page for the password: that of the user, or of who owns the domain. */
export interface Places {
  readonly nameless: string;
  readonly named: string;
}

/** Which ways in a user has, and what keeps them from the others. */
@Injectable()
export class WayLinks {
  constructor(
    private readonly idps: IdpSearch,
    private readonly offered: OfferedIdps,
  ) {}

  /** The ways that are asked for, or all of them: the password, a passkey, then each provider that is linked. */
  async of(given: Case, candidate: Candidate, places: Places): Promise<Way[]> {
    const { linked } = given;
    const { method } = given.asked;
    const ways: Way[] = [];
    if (method === undefined || method === 'password') ways.push(await this.password(given, candidate, places));
    if (method === undefined || method === 'passkey') ways.push(await this.passkey(given, candidate));
    if (method === 'provider') ways.push(await this.namedProvider(given, places));
    else if (method === undefined)
      for (const one of distinct(linked).slice(0, MOST_PROVIDERS)) ways.push(await this.provider(given, one, places));
    return ways;
  }

  private async password(given: Case, { account }: Candidate, places: Places): Promise<Way> {
    const { name, sight, rules, user } = given;
    const problems: Link[] = [];
    if (account.passwordHash === null)
      problems.push(
        link({
          code: 'password_not_set',
          effect: 'refuses',
          sentence: `${name} has no password.`,
          mends: [
            sight.mend({
              operationId: 'SendHumanResetPasswordNotification',
              permission: 'user.write',
              parameters: { userId: user.id },
              reach: reachOf(given),
            }),
          ],
        }),
      );
    // The page for the password is that of the organization that owns the domain of the name.
    for (const orgId of new Set([user.orgId, places.named])) {
      const login = await rules.policy('login', orgId);
      if (login.policy.allowUsernamePassword) continue;
      const voice = await rules.voice('login', orgId, 'allowUsernamePassword');
      const place = orgId === user.orgId ? '' : ` It decides about the page that ${name} sees for this login name.`;
      problems.push(
        link({
          code: 'passwords_not_allowed',
          effect: 'refuses',
          sentence: `${voice.says('does not let users sign in with a password')}${place}`,
          rule: voice.rule,
          mends: loginPolicyMends(sight, login, orgId, { allowUsernamePassword: true }),
        }),
      );
      if (login.isDefault) break;
    }
    return { method: 'password', spoken: 'with the password', problems };
  }

  private async passkey(given: Case, candidate: Candidate): Promise<Way> {
    const { name, sight, rules, user, now } = given;
    const { factor } = candidate.sessionAt(now, 'passkey');
    const problems: Link[] = [];
    if (!factor.hasPasskey) {
      const isElsewhere = factor.hasOnlyKeysElsewhere;
      problems.push(
        link({
          code: isElsewhere ? 'passkey_of_other_domain' : 'passkey_missing',
          effect: 'refuses',
          sentence: isElsewhere
            ? `The keys of ${name} were made for another domain of this service, and no browser uses them here.`
            : `${name} has no passkey.`,
          mends: [
            sight.mend({
              operationId: 'SendPasswordlessRegistration',
              permission: 'user.write',
              parameters: { userId: user.id },
              reach: reachOf(given),
            }),
          ],
        }),
      );
    }
    if (!candidate.mayUsePasskeys) {
      const login = await rules.policy('login', user.orgId);
      const isPolicy = login.policy.passwordlessType === 'not_allowed';
      const voice = isPolicy ? await rules.voice('login', user.orgId, 'passwordlessType') : undefined;
      problems.push(
        link({
          code: 'passkeys_not_allowed',
          effect: 'refuses',
          sentence: voice
            ? voice.says('does not let users sign in with a passkey')
            : 'This service takes no passkeys: its operator has named no domain for them.',
          ...(voice
            ? {
                rule: voice.rule,
                mends: loginPolicyMends(sight, login, user.orgId, { passwordlessType: 'allowed' }),
              }
            : {}),
        }),
      );
    }
    return { method: 'passkey', spoken: 'with a passkey', problems };
  }

  /** The provider that the caller names, if the user has linked it, a page shows it, or the caller may read it. */
  private async namedProvider(given: Case, places: Places): Promise<Way> {
    const { asked, user, sight, linked } = given;
    const named = asked.provider;
    if (named === '' && linked[0]) return this.provider(given, linked[0].idpId, places);
    const owners = [user.orgId, sight.instanceId];
    const found = named === '' ? [] : await this.idps.findNamed(owners, named);
    const shownBy = [user.orgId, places.nameless, places.named];
    let best: NamedIdp | undefined;
    for (const one of found)
      if (
        linked.some(({ idpId }) => idpId === one.id) ||
        sight.seesProvider(one.ownerId) ||
        (await this.offers(one.id, shownBy))
      )
        best ??= one;
    if (best) return this.provider(given, best.id, places);
    const sentence =
      named === ''
        ? `${given.name} has linked no account at an identity provider.`
        : `There is no identity provider ${named} for ${given.org}, or you may not read it.`;
    const problem = link({ code: 'provider_unknown', effect: 'refuses', sentence });
    return { method: 'provider', spoken: 'through an identity provider', problems: [problem] };
  }

  private async provider(given: Case, idpId: string, places: Places): Promise<Way> {
    const { sight, rules, user, name, linked } = given;
    const found = await this.idps.findNamed([user.orgId, sight.instanceId], idpId);
    const idp = found.find(({ id }) => id === idpId);
    const held = linked.find((one) => one.idpId === idpId);
    const isLinked = held !== undefined;
    const spokenName = idp?.name ?? held?.idpName ?? idpId;
    const way = { method: 'provider', spoken: `through ${spokenName}`, idpId, isLinked } as const;
    const login = await rules.policy('login', user.orgId);
    const problems: Link[] = [];
    if (!login.policy.allowExternalIdp) {
      const voice = await rules.voice('login', user.orgId, 'allowExternalIdp');
      problems.push(
        link({
          code: 'providers_not_allowed',
          effect: 'refuses',
          sentence: voice.says('does not let users sign in through identity providers'),
          rule: voice.rule,
          mends: loginPolicyMends(sight, login, user.orgId, { allowExternalIdp: true }),
        }),
      );
    }
    if (idp && idp.state !== 'active') problems.push(await this.inactive(given, idp));
    else if (idp && login.policy.allowExternalIdp) {
      if (!(await this.offers(idp.id, [user.orgId])))
        problems.push(this.notOffered(given, idp, sight.seesPolicies(user.orgId) ? login.isDefault : undefined));
      else if (!(await this.offers(idp.id, [places.nameless, places.named]))) problems.push(notShown(given, idp));
    }
    if (idp && !isLinked) {
      const isOpen = idp.isLinkingAllowed || mayCreate(idp);
      const sentence = isOpen
        ? `${name} has not linked an account at ${idp.name} yet. After signing in there, ${name} is asked to link it.`
        : `${name} has not linked an account at ${idp.name}, and it takes no new ones.`;
      problems.push(link({ code: 'provider_not_linked', effect: isOpen ? 'informs' : 'refuses', sentence }));
    }
    return { ...way, problems };
  }

  private async inactive(given: Case, idp: NamedIdp): Promise<Link> {
    const { sight, rules } = given;
    const isOfInstance = idp.ownerId === sight.instanceId;
    const change = await rules.change({
      aggregateType: isOfInstance ? 'instance' : 'org',
      aggregateId: idp.ownerId,
      types: [`${isOfInstance ? 'iam' : 'org'}.idp.config.deactivated`],
      idpId: idp.id,
    });
    const parameters = { idpId: idp.id };
    return link({
      code: 'provider_inactive',
      effect: 'refuses',
      sentence: `The identity provider ${idp.name} has been deactivated${sinceWhen(change)}.`,
      rule: {
        name: 'state',
        setting: '',
        ownerType: 'provider',
        ownerId: idp.id,
        ownerName: idp.name,
        ...madeBy(change),
        isDefault: false,
      },
      mends: [
        isOfInstance
          ? sight.mend({ operationId: 'ReactivateIDP', permission: 'iam.idp.write', parameters })
          : sight.mend({
              operationId: 'ReactivateOrgIDP',
              permission: 'org.idp.write',
              parameters,
              reach: { orgId: idp.ownerId },
            }),
      ],
    });
  }

  /** `isPolicyOfInstance`: undefined if the caller may not read the policy. */
  private notOffered(given: Case, idp: NamedIdp, isPolicyOfInstance: boolean | undefined): Link {
    const { sight, user } = given;
    const ownerType = idp.ownerId === sight.instanceId ? 'IDP_OWNER_TYPE_SYSTEM' : 'IDP_OWNER_TYPE_ORG';
    const mends = [
      isPolicyOfInstance
        ? sight.mend({
            operationId: 'AddIDPToLoginPolicy',
            permission: 'iam.policy.write',
            parameters: { idpId: idp.id },
          })
        : sight.mend({
            operationId: 'AddIDPToLoginPolicyOfOrg',
            permission: 'policy.write',
            parameters: { idpId: idp.id, ownerType },
            reach: { orgId: user.orgId },
          }),
    ];
    return link({
      code: 'provider_not_offered',
      effect: 'refuses',
      sentence: `The login policy that applies to ${given.name} lists other identity providers, and not ${idp.name}.`,
      mends: isPolicyOfInstance === undefined ? [] : mends,
    });
  }

  /** Whether one of these organizations offers it: users may use it, or a page of theirs has its button. */
  private async offers(idpId: string, orgIds: readonly string[]): Promise<boolean> {
    for (const orgId of new Set(orgIds)) if ((await this.offered.of(orgId)).some(({ id }) => id === idpId)) return true;
    return false;
  }
}

function notShown({ name }: Case, idp: NamedIdp): Link {
  return link({
    code: 'provider_not_offered',
    effect: 'refuses',
    sentence: `No page that ${name} sees has a button for ${idp.name}: the page is that of another organization until the domain of the login name is proved, or the application asks for the organization by a scope.`,
  });
}

function distinct(linked: readonly LinkedIdp[]): string[] {
  return [...new Set(linked.map(({ idpId }) => idpId))];
}
