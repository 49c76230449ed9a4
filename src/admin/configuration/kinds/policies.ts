import { DomainError } from '../../../foundation/error/domain-error.js';
import type { Json } from '../../kit/inner-calls.js';
import { domainEffects, lockoutEffects, loginPolicyEffects, passwordAgeEffects } from '../effects/policy-effects.js';
import type { Ground } from '../ground.js';
import type { Effects, FolderKind, Kinds, SettingKind, SpecialField } from '../kind.js';
import type { Place } from '../place.js';
import { isSame } from '../values.js';
import { IMAGES } from './images.js';
import { listed } from './special-fields.js';

interface PolicyFacts {
  readonly label: string;
  /** Below `/policies`. */
  readonly path: string;
  /** Where the instance is told of changes, if that differs. */
  readonly instancePut?: string;
  /** Below which path an organization has its own, if that differs; with the method `GET` and the like before it. */
  readonly orgPath?: string;
  readonly specials?: readonly SpecialField[];
  /** Puts into effect what was changed. */
  readonly afterwards?: string;
  readonly effects?: Effects;
}

type Level = Place['level'];

/** The policies of the instance, or those that an organization has in place of them; `null` takes one back. */
export function policies(level: Level): FolderKind {
  const of = (facts: PolicyFacts): SettingKind => policy(level, facts);
  const parts: Kinds = {
    login: of({
      label: 'login policy',
      path: '/policies/login',
      specials: [factors('secondFactors', 'second_factors'), factors('multiFactors', 'multi_factors'), PROVIDERS],
      effects: loginPolicyEffects,
    }),
    lockout: of({
      label: 'lockout policy',
      path: '/policies/lockout',
      instancePut: '/policies/password/lockout',
      effects: lockoutEffects,
    }),
    passwordComplexity: of({ label: 'password complexity policy', path: '/policies/password/complexity' }),
    passwordAge: of({ label: 'password age policy', path: '/policies/password/age', effects: passwordAgeEffects }),
    domain: of({
      label: 'domain policy',
      path: '/policies/domain',
      orgPath: '/admin/v1/orgs/:orgId/policies/domain',
      effects: domainEffects,
    }),
    selfService: of({ label: 'self-service policy', path: '/policies/self_service' }),
    privacy: of({ label: 'privacy policy', path: '/policies/privacy' }),
    notification: of({ label: 'notification policy', path: '/policies/notification' }),
    label: of({
      label: 'label policy',
      path: '/policies/label',
      specials: IMAGES,
      afterwards: 'POST /policies/label/_activate',
    }),
  };
  return { type: 'folder', label: 'policies', parts };
}

function policy(level: Level, facts: PolicyFacts): SettingKind {
  const { label, path, instancePut = path, orgPath = path, specials = [], afterwards, effects } = facts;
  const isOrg = level === 'org';
  return {
    type: 'setting',
    label,
    groups: [{ route: `PUT ${isOrg ? orgPath : instancePut}`, of: (read) => read }],
    specials,
    ...(afterwards === undefined ? {} : { afterwards, isPending: hasDraft }),
    ...(effects ? { effects } : {}),
    ...(isOrg ? { first: `POST ${orgPath}`, reset: `DELETE ${orgPath}` } : {}),
    read: async (ground, place) => {
      const answer = await ground.call(place, `GET ${path}`);
      const read = answer['policy'] as Json;
      return { isOwn: !isOrg || (answer['isDefault'] !== true && read['isDefault'] !== true), read };
    },
  };
}

/** Whether the preview of a policy differs from what is in effect. */
async function hasDraft(ground: Ground, place: Place, { details: _, ...inEffect }: Json): Promise<boolean> {
  const answer = await ground.call(place, 'GET /policies/label/_preview');
  const { details: __, ...draft } = answer['policy'] as Json;
  return !isSame(draft, inEffect);
}

function factors(word: string, path: string): SpecialField {
  return listed({
    word,
    of: async (read) => (read[word] ?? []) as string[],
    add: `POST /policies/login/${path}`,
    remove: `DELETE /policies/login/${path}/:type`,
    message: async (type) => ({ type }),
  });
}

/** The providers that the login page offers, by their names. */
const PROVIDERS = listed({
  word: 'identityProviders',
  of: async (_read, ground, place) =>
    (await ground.all(place, 'POST /policies/login/idps/_search')).map(({ idpName }) => idpName as string).sort(),
  add: 'POST /policies/login/idps',
  remove: 'DELETE /policies/login/idps/:idpId',
  message: providerNamed,
});

/** @throws DomainError NotFound */
async function providerNamed(name: string, ground: Ground, place: Place): Promise<Json> {
  const found = (await ground.all(place, 'POST /idps/_search')).find((one) => one['name'] === name);
  if (!found)
    throw new DomainError(
      'NotFound',
      'configuration.provider_unknown',
      `There is no identity provider ${JSON.stringify(name)} that this login policy could offer.`,
    );
  const isOfOrg = found['owner'] === 'IDP_OWNER_TYPE_ORG';
  return {
    idpId: found['id'],
    ...(place.level === 'org' ? { ownerType: isOfOrg ? 'IDP_OWNER_TYPE_ORG' : 'IDP_OWNER_TYPE_SYSTEM' } : {}),
  };
}
