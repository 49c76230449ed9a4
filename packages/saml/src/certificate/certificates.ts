import { createPrivateKey, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Database, Journal, Secret, type SecretPlace, Vault } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { OurEntity } from '../entity/our-entity.js';
import { certificateAdded, certificateRotated } from '../saml.events.js';
import { type Certificate, readCertificate } from '../signature/certificate.js';
import { newSigningKey } from '../signature/new-signing-key.js';
import type { SigningKey } from '../signature/signing-key.js';
import { nextMissing } from './certificate.errors.js';

const YEARS = 3;
/** How long before its end the one that follows is announced. */
const ANNOUNCED_MS = 90 * 86_400_000;

export type CertificateState = 'current' | 'next';

export interface OwnCertificate {
  readonly id: string;
  readonly state: CertificateState;
  readonly certificate: Certificate;
}

interface Row {
  readonly id: string;
  readonly state: CertificateState;
  readonly certificate: string;
  readonly sealedKey: string;
}

const FIND = `SELECT id, state, certificate, private_key AS "sealedKey" FROM ext_saml.certificate
  WHERE state = ANY (:states) ORDER BY state`;

const ADD = `INSERT INTO ext_saml.certificate (id, state, certificate, private_key, not_after)
  VALUES (:id, :state, :certificate, :sealedKey, :notAfter)
  ON CONFLICT (state) DO NOTHING
  RETURNING id`;

const SEAL_AGAIN = `UPDATE ext_saml.certificate SET private_key = :sealedKey WHERE id = :id AND private_key = :before`;

const NEXT = `SELECT id, state, certificate, private_key AS "sealedKey" FROM ext_saml.certificate
  WHERE state = 'next' FOR UPDATE`;
const REMOVE_CURRENT = `DELETE FROM ext_saml.certificate WHERE state = 'current'`;
const PROMOTE = `UPDATE ext_saml.certificate SET state = 'current' WHERE id = :id`;

/**
 * What we sign with. Applications pin the certificate, so it is never exchanged by age: the next one is announced in
 * the metadata, and an administrator says when it signs.
 */
@Injectable()
export class Certificates {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly entity: OurEntity,
  ) {}

  async signingKey(): Promise<SigningKey> {
    const row = await this.row('current');
    const secret = this.vault.open(row.sealedKey, placeOf(row.id));
    if (!this.vault.isCurrent(row.sealedKey)) {
      const sealedKey = this.vault.seal(secret, placeOf(row.id));
      await this.database.query(SEAL_AGAIN, { id: row.id, sealedKey, before: row.sealedKey });
    }
    return { privateKey: createPrivateKey(secret.reveal()), certificate: readCertificate(row.certificate) };
  }

  /** The one that signs. Made if there is none yet. */
  async current(): Promise<Certificate> {
    return readCertificate((await this.row('current')).certificate);
  }

  /** Those of the metadata: the one that signs, and near its end the one that will. */
  async announced(): Promise<readonly Certificate[]> {
    const current = await this.current();
    if (current.notAfter.getTime() - this.clock.now().getTime() < ANNOUNCED_MS) await this.row('next');
    return (await this.list()).map(({ certificate }) => certificate);
  }

  async list(): Promise<readonly OwnCertificate[]> {
    const rows = await this.database.query<Row>(FIND, { states: ['current', 'next'] });
    return rows.map(({ id, state, certificate }) => ({ id, state, certificate: readCertificate(certificate) }));
  }

  /** Makes the next one, unless there is one. Without any, that is the first. */
  async addNext({ userId }: Caller): Promise<void> {
    await this.row('current', userId);
    await this.row('next', userId);
  }

  /** @throws DomainError NotFound `saml.next_certificate_missing` */
  async rotate({ userId }: Caller): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [next] = await tx.query<Row>(NEXT);
      if (!next) throw nextMissing();
      await tx.query(REMOVE_CURRENT);
      await tx.query(PROMOTE, { id: next.id });
      const { fingerprint } = readCertificate(next.certificate);
      await this.journal.append(tx, certificateRotated, {
        aggregateId: next.id,
        editorId: userId,
        payload: { fingerprint },
      });
    });
  }

  /** Made if there is none. Of several replicas that make one at the same time, one wins. */
  private async row(state: CertificateState, editorId?: string): Promise<Row> {
    const found = await this.find(state);
    if (found) return found;
    await this.make(state, editorId);
    const made = await this.find(state);
    if (!made) throw new Error(`The ${state} certificate was removed as soon as it was made.`);
    return made;
  }

  private async find(state: CertificateState): Promise<Row | undefined> {
    const [row] = await this.database.query<Row>(FIND, { states: [state] });
    return row;
  }

  private async make(state: CertificateState, editorId: string | undefined): Promise<void> {
    const [notBefore, notAfter] = [this.clock.now(), this.clock.now()];
    notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
    const commonName = this.entity.hostName;
    const { privateKey, certificate } = await newSigningKey({ commonName, notBefore, notAfter });
    const id = randomUUID();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await this.database.transaction(async (tx) => {
      const added = await tx.query(ADD, {
        id,
        state,
        certificate: certificate.base64,
        sealedKey: this.vault.seal(new Secret(pem), placeOf(id)),
        notAfter: certificate.notAfter,
      });
      if (added.length === 0) return;
      await this.journal.append(tx, certificateAdded, {
        aggregateId: id,
        ...(editorId === undefined ? {} : { editorId }),
        payload: { state, fingerprint: certificate.fingerprint },
      });
    });
  }
}

function placeOf(row: string): SecretPlace {
  return { table: 'ext_saml.certificate', column: 'private_key', row };
}
