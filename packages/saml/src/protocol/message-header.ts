import type { ReceivedMessage } from '../bindings/message.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { requiredInstant } from '../xml/schema-values.js';
import { type Tag, tag } from '../xml/write-xml.js';
import type { XmlElement } from '../xml/xml-element.js';
import { MAX_ENTITY_ID_LENGTH, NAME_ID_FORMAT } from './uris.js';

/** How far the clock of a partner may differ from ours. */
export const SKEW_MS = 60_000;

/** What every message begins with (SAML Core §3.2.1, §3.2.2). */
export interface MessageHeader {
  readonly id: string;
  readonly issueInstant: Date;
}

const ID = /^[A-Za-z_][\w.-]{0,255}$/;

/**
 * The entity that a message says to come from: only to find its metadata by.
 * @throws SamlRefusal `element_unexpected` if the message is another than that, `issuer_missing`
 */
export function claimedIssuer({ root }: ReceivedMessage, name: string): string {
  checkKind(root, name);
  const issuer = issuerOf(root);
  if (issuer === undefined) throw new SamlRefusal('issuer_missing');
  return issuer;
}

/** @throws SamlRefusal `version_unsupported`, `value_malformed` */
export function readHeader(element: XmlElement): MessageHeader {
  if (element.attribute('Version') !== '2.0') throw new SamlRefusal('version_unsupported');
  const id = element.requiredAttribute('ID');
  if (!ID.test(id)) throw new SamlRefusal('value_malformed', 'ID');
  return { id, issueInstant: requiredInstant(element, 'IssueInstant') };
}

/** @throws SamlRefusal `issued_in_future` */
export function checkIssueInstant({ issueInstant }: MessageHeader, now: Date): void {
  if (issueInstant.getTime() > now.getTime() + SKEW_MS) throw new SamlRefusal('issued_in_future');
}

/** @throws SamlRefusal `element_unexpected` */
export function checkKind(root: XmlElement, name: string): void {
  if (!root.is(NS.protocol, name)) throw new SamlRefusal('element_unexpected', `instead of ${name}`);
}

/**
 * SAML Core §2.2.5: the name of an entity, without a format or with that of entities.
 * @throws SamlRefusal `value_malformed`
 */
export function issuerOf(element: XmlElement): string | undefined {
  const issuer = element.optional(NS.assertion, 'Issuer');
  if (!issuer) return undefined;
  const entityId = issuer.token;
  const isEntity = (issuer.attribute('Format') ?? NAME_ID_FORMAT.entity) === NAME_ID_FORMAT.entity;
  if (!isEntity || entityId === '' || entityId.length > MAX_ENTITY_ID_LENGTH)
    throw new SamlRefusal('value_malformed', 'Issuer');
  return entityId;
}

/** @throws SamlRefusal `issuer_missing`, `issuer_other`, `value_malformed` */
export function checkIssuer(element: XmlElement, entityId: string): void {
  const issuer = issuerOf(element);
  if (issuer === undefined) throw new SamlRefusal('issuer_missing', element.name);
  if (issuer !== entityId) throw new SamlRefusal('issuer_other', element.name);
}

/**
 * SAML Bindings §3.4.5.2 and §3.5.5.2: a signed message says where it was sent, so that nobody can pass it on.
 * @throws SamlRefusal `destination_missing`, `destination_other`
 */
export function checkDestination(message: XmlElement, ours: string, isSigned: boolean): void {
  const destination = message.attribute('Destination');
  if (destination === undefined && isSigned) throw new SamlRefusal('destination_missing');
  if (destination !== undefined && destination !== ours) throw new SamlRefusal('destination_other');
}

/** What every message of ours begins with. */
export interface NewHeader {
  readonly id: string;
  readonly destination: string;
  readonly now: Date;
}

export function headerAttributes({ id, destination, now }: NewHeader): Record<string, string | Date> {
  return { ID: id, Version: '2.0', IssueInstant: now, Destination: destination };
}

export function issuerTag(entityId: string): Tag {
  return tag('saml:Issuer', {}, entityId);
}
