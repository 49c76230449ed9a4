import { isThere } from '../../foundation/database/is-there.js';
import { parseForeignDomain } from '../../org/domain-name.js';
import { ORG_IN_PATH } from '../../org/in-path.js';
import { DOMAIN_VALIDATION_TYPE, ORG_STATE } from '../../org/org.enums.js';
import { isText, textRule } from '../../user/profile.js';
import { isAtDomainIn, isPersonAtDomain } from '../../user/user-name.js';
import { choice, flag, Message, part, text } from '../document/field.js';
import { canBeInPath, idIfAny, idOf } from './ids.js';
import { type DocumentPart, definePart, flagOf, textOf } from './part.js';
import { inQuotes, noted, orgNamed, refersTo, type Stage, staging } from './stage.js';

export const orgStage: Stage = {
  table: 'org',
  name: 'an organization',
  key: ['id'],
  columns: ['name', 'state'],
  optional: ['name', 'state'],
  ownerOf: (t) => `${t}.id`,
  prepare: [
    `UPDATE ${staging('org')} s
     SET state = 'active'
     WHERE state IS NULL AND NOT ${isThere('org t', 't.id = s.id')}`,
  ],
  checks: [
    canBeInPath('id', ORG_IN_PATH),
    {
      breaks: () => 's.id = (SELECT id FROM instance)',
      says: 'has the id of the instance, whose settings a document cannot change',
      verdict: 'invalid',
    },
    { breaks: () => 's.name IS NULL', says: 'is not here yet, so its name is required (org.name)', verdict: 'invalid' },
  ],
};

/** The members of the organization that are not lists: `orgId`, `org`, `orgState`. */
export const ORG = new Message(
  {
    orgId: idOf(1),
    org: part(
      3,
      new Message({
        name: text(1, { min: 1, max: 200, problem: (name) => (isText(name, 1) ? undefined : textRule(1)) }),
      }),
    ),
    orgState: choice(40, ORG_STATE),
  },
  ['orgId'],
);

/** The kind of the domain that a new organization gets if its document names none. */
export const GIVEN_DOMAIN = 'given_domain';

const staged = staging('org_domain');
/** The domain derived from the name, with a suffix derived from the id of the organization. */
const ownDomain = `regexp_replace(
    s.domain,
    '^([^.]{1,56})[^.]*',
    '\\1-' || substr(encode(sha256(convert_to(s.org_id, 'UTF8')), 'hex'), 1, 6)
  )`;
const OTHER_DOMAIN = `'is ' || ${ownDomain} || ', since another organization has ' || s.domain`;

export const domainStage: Stage = {
  table: 'org_domain',
  name: 'a domain',
  key: ['org_id', 'domain'],
  columns: ['is_verified', 'is_primary', 'validation_type', 'validation_token'],
  uncompared: ['validation_type', 'validation_token'],
  ownerOf: (t) => `${t}.org_id`,
  prepare: [
    // An existing organization has its domains.
    `DELETE FROM ${staged} s
     WHERE s._type = '${GIVEN_DOMAIN}' AND ${isThere('org o', 'o.id = s.org_id')}`,
    // If another organization already has the domain derived from the name, the new one gets a distinct one.
    `UPDATE ${staged} s
     SET domain = ${ownDomain}, _notes = ${noted('s', `s._path || '.domains'`, OTHER_DOMAIN)}
     WHERE s._type = '${GIVEN_DOMAIN}'
       AND (
         ${isThere('org_domain d', 'd.domain = s.domain AND d.is_verified')}
         OR EXISTS (
           SELECT 1 FROM ${staged} d
           WHERE d.domain = s.domain
             AND d.is_verified
             AND (d._position < s._position OR d._type <> s._type)
             AND d._position <> s._position
         )
       )`,
    `UPDATE ${staged} s SET _done = to_json(s.domain)::text WHERE s._type = '${GIVEN_DOMAIN}'`,
  ],
  uniques: [
    {
      columns: ['domain'],
      where: '{}.is_verified',
      says: 'is the domain',
      value: inQuotes('{}.domain'),
      holder: `', which ' || ${orgNamed('t.org_id')} || ' has verified'`,
    },
    {
      columns: ['org_id'],
      where: '{}.is_primary',
      says: 'is a primary domain of an organization that has one',
      holder: `': ' || t.domain`,
    },
  ],
  checks: [
    refersTo('org_id', orgStage),
    { breaks: () => 's.is_primary AND NOT s.is_verified', says: 'must be verified to be primary', verdict: 'invalid' },
    {
      // A whole user name would coincide with a login name at this domain: see tenancy/org-domains.service.ts.
      breaks: () =>
        `s.is_verified AND EXISTS (
          SELECT 1 FROM user_account u
          WHERE ${isPersonAtDomain('u', 's.domain')}
            AND ${isAtDomainIn('u.user_name_key')}
            AND u.org_id <> s.org_id
        )`,
      says: 'is a domain at which users of another organization have their names',
      verdict: 'conflict',
    },
  ],
};

/** An entry of `domains`. */
export const DOMAIN = new Message(
  {
    orgId: idIfAny(1),
    domainName: text(3, {
      min: 1,
      max: 253,
      problem: (name) =>
        parseForeignDomain(name) === undefined ? 'must be a domain name such as example.com' : undefined,
    }),
    isVerified: flag(4),
    isPrimary: flag(5),
    validationType: choice(6, DOMAIN_VALIDATION_TYPE),
  },
  ['domainName'],
  { ignored: ['details'] },
);

export const domainPart: DocumentPart = definePart({
  member: 'domains',
  number: 34,
  stages: [domainStage],
  message: DOMAIN,
  take(entry, section) {
    const domain = parseForeignDomain(entry.domainName) ?? '';
    section.notes.set('domains', [domain]);
    section.stage(
      domainStage,
      {
        org_id: section.orgId,
        domain,
        is_verified: entry.isVerified,
        is_primary: entry.isPrimary,
        validation_type: 'unspecified',
        validation_token: '',
      },
      { type: 'domain', id: `${section.orgId}_${domain}`, done: domain },
    );
  },
  select: `SELECT org_id, domain, is_verified, is_primary
    FROM org_domain
    WHERE org_id = :orgId
    ORDER BY domain`,
  toEntry: (row) => ({
    orgId: textOf(row, 'org_id'),
    domainName: textOf(row, 'domain'),
    isVerified: flagOf(row, 'is_verified'),
    isPrimary: flagOf(row, 'is_primary'),
  }),
});
