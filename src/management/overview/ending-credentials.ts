import { X509Certificate } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { JsonWebKeySet } from '../../project/client/assertion-settings.js';
import { certificateIn } from '../../project/client/certificate-settings.js';
import type { VisibleOrgs } from './bounded-read.js';

export type CredentialKind = 'personalAccessToken' | 'userKey' | 'applicationKey' | 'registrationToken' | 'certificate';

/** A key, token or certificate with which a program authenticates, and until when. */
export interface EndingCredential {
  readonly what: CredentialKind;
  readonly id: string;
  readonly endsAt: Date;
  /** The user, application or project that it belongs to. */
  readonly ownerId: string;
  readonly ownerName: string;
  /** The project of an application; empty for users. */
  readonly projectId: string;
  readonly orgId: string;
}

export const SOON_DAYS = 30;
/** For how long one that has ended is still shown: somebody may wonder why a program stopped. */
const ENDED_DAYS = 7;
const MOST = 50;
/** Applications with certificates of their own that are looked at. */
const MOST_CERTIFIED = 200;

/** Of users, who have a name of their kind; and of applications, in a project. */
const ENDING = statement(
  'overview.ending_credentials',
  `SELECT *
   FROM (
     (SELECT 'personalAccessToken' AS what, t.id, t.expires_at AS "endsAt", u.id AS "ownerId",
        CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END AS "ownerName",
        '' AS "projectId", u.org_id AS "orgId"
      FROM personal_access_token t
      JOIN user_account u ON u.id = t.user_id
      WHERE t.expires_at BETWEEN :since AND :until AND (:allUsers OR u.org_id = ANY (:userOrgIds))
      ORDER BY t.expires_at LIMIT ${MOST})
     UNION ALL
     (SELECT 'userKey', k.id, k.expires_at, u.id,
        CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END, '', u.org_id
      FROM machine_key k
      JOIN user_account u ON u.id = k.user_id
      WHERE k.expires_at BETWEEN :since AND :until AND (:allUsers OR u.org_id = ANY (:userOrgIds))
      ORDER BY k.expires_at LIMIT ${MOST})
     UNION ALL
     (SELECT 'applicationKey', k.id, k.expires_at, c.id, c.name, p.id, p.org_id
      FROM client_key k
      JOIN client c ON c.id = k.client_row_id
      JOIN project p ON p.id = c.project_id
      WHERE k.expires_at BETWEEN :since AND :until AND (:allProjects OR p.org_id = ANY (:projectOrgIds))
      ORDER BY k.expires_at LIMIT ${MOST})
     UNION ALL
     (SELECT 'registrationToken', r.id, r.expires_at, p.id, p.name, p.id, p.org_id
      FROM registration_token r
      JOIN project p ON p.id = r.project_id
      WHERE r.expires_at BETWEEN :since AND :until AND (:allProjects OR p.org_id = ANY (:projectOrgIds))
      ORDER BY r.expires_at LIMIT ${MOST})) AS ending
   ORDER BY "endsAt"
   LIMIT ${MOST}`,
).rows<EndingCredential>();

const CERTIFIED = statement(
  'overview.certified_clients',
  `SELECT c.id, c.name, c.jwks, p.id AS "projectId", p.org_id AS "orgId"
   FROM client c
   JOIN project p ON p.id = c.project_id
   WHERE c.auth_method = 'self_signed_tls_client_auth' AND c.jwks IS NOT NULL
     AND (:allProjects OR p.org_id = ANY (:projectOrgIds))
   ORDER BY c.id
   LIMIT ${MOST_CERTIFIED}`,
).rows<{ id: string; name: string; jwks: JsonWebKeySet; projectId: string; orgId: string }>();

/** Keys, tokens and certificates that end soon or have just ended: what nobody notices until a program stops. */
@Injectable()
export class EndingCredentials {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The first to end first. @param orgs of users, and of projects, whose credentials the reader may see */
  async find(orgs: { readonly ofUsers: VisibleOrgs; readonly ofProjects: VisibleOrgs }): Promise<EndingCredential[]> {
    const now = this.clock.now();
    const [since, until] = [
      secondsAfter(now, -ENDED_DAYS * seconds.perDay),
      secondsAfter(now, SOON_DAYS * seconds.perDay),
    ];
    const { ofUsers, ofProjects } = orgs;
    const [allUsers, userOrgIds] = ofUsers === 'everywhere' ? [true, []] : [false, ofUsers];
    const [allProjects, projectOrgIds] = ofProjects === 'everywhere' ? [true, []] : [false, ofProjects];
    const projects = { allProjects, projectOrgIds };
    const ending = await this.database.query(ENDING, { since, until, allUsers, userOrgIds, ...projects });
    const certified = await this.database.query(CERTIFIED, projects);
    const certificates = certified.flatMap(({ jwks, id, name, projectId, orgId }) =>
      jwks.keys.flatMap((key): EndingCredential[] => {
        const endsAt = endOf(certificateIn(key));
        if (!endsAt || endsAt < since || endsAt > until) return [];
        const of = { ownerId: id, ownerName: name, projectId, orgId };
        return [{ what: 'certificate', id: typeof key.kid === 'string' ? key.kid : '', endsAt, ...of }];
      }),
    );
    return [...ending, ...certificates]
      .sort((one, other) => one.endsAt.getTime() - other.endsAt.getTime())
      .slice(0, MOST);
  }
}

/** Undefined for what cannot be read: its application is told so when it authenticates. */
function endOf(certificate: string | undefined): Date | undefined {
  if (certificate === undefined) return undefined;
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate;
  } catch {
    return undefined;
  }
}
