import type { OutgoingMessage } from '../bindings/message.js';
import { headerAttributes, issuerTag } from '../protocol/message-header.js';
import { newMessageId } from '../protocol/message-id.js';
import { type NameId, nameIdTag } from '../protocol/name-id.js';
import { type StatusCode, type StatusLevel, statusTag } from '../protocol/status.js';
import { CONFIRMATION_BEARER } from '../protocol/uris.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { type Tag, tag, writeXml } from '../xml/write-xml.js';
import { type AnswerAddress, FAILURES, type Failure } from './answer.js';

/** How long the browser may take to bring an assertion. */
const LIFETIME_MS = 5 * 60_000;
/** For service providers whose clock is behind ours and who do not allow for that. */
const EARLIER_MS = 60_000;

/** What is said of a person. An attribute without values is left out. */
export interface Attribute {
  readonly name: string;
  readonly nameFormat: string;
  /** For people who look at it (SAML Core §2.7.3.1). */
  readonly friendlyName?: string;
  readonly values: readonly string[];
}

/** Who has signed in, as one service provider is told. */
export interface SignInStatement {
  /** Our entity. */
  readonly issuer: string;
  readonly answer: AnswerAddress;
  readonly nameId: NameId;
  /** When they last proved who they are. */
  readonly authnInstant: Date;
  /** A class, of those that the service provider accepts. */
  readonly authnContext: string;
  /** Our session, by which both sides name it at logout. */
  readonly sessionIndex: string;
  readonly sessionNotOnOrAfter?: Date;
  readonly attributes: readonly Attribute[];
  readonly now: Date;
}

/**
 * The response by which somebody is signed in (SAML Profiles §4.1.4.2): the assertion is signed, and all of it again.
 */
export function writeResponse(statement: SignInStatement, key: SigningKey): OutgoingMessage {
  const assertionId = newMessageId();
  const assertion = assertionTag(assertionId, statement);
  const { issuer, answer, now } = statement;
  const response = writeAnswer({ issuer, answer, now }, [statusTag('Success'), assertion]);
  const withAssertion = signXml(response.xml, { id: assertionId, hasIssuer: true }, key);
  return { ...response, xml: signXml(withAssertion, { id: response.id, hasIssuer: true }, key) };
}

export interface FailedAnswer {
  readonly issuer: string;
  readonly answer: AnswerAddress;
  readonly now: Date;
}

/** The response by which nobody is signed in. Signed if there is a key. */
export function writeFailure(answer: FailedAnswer, failure: Failure, key?: SigningKey): OutgoingMessage {
  const [level, code]: readonly [StatusLevel, StatusCode?] = FAILURES[failure];
  const response = writeAnswer(answer, [statusTag(level, code)]);
  return key ? { ...response, xml: signXml(response.xml, { id: response.id, hasIssuer: true }, key) } : response;
}

function writeAnswer({ issuer, answer, now }: FailedAnswer, content: readonly Tag[]): OutgoingMessage {
  const id = newMessageId();
  const attributes = {
    ...headerAttributes({ id, destination: answer.url, now }),
    InResponseTo: answer.requestId,
  };
  return {
    parameter: 'SAMLResponse',
    id,
    destination: answer.url,
    xml: writeXml(tag('samlp:Response', attributes, issuerTag(issuer), content)),
  };
}

function assertionTag(id: string, statement: SignInStatement): Tag {
  const { issuer, now, attributes } = statement;
  return tag(
    'saml:Assertion',
    { ID: id, Version: '2.0', IssueInstant: now },
    issuerTag(issuer),
    subjectTag(statement),
    conditionsTag(statement),
    authnTag(statement),
    attributesTag(attributes.filter(({ values }) => values.length > 0)),
  );
}

function subjectTag({ nameId, answer, now }: SignInStatement): Tag {
  const confirmation = tag('saml:SubjectConfirmationData', {
    InResponseTo: answer.requestId,
    NotOnOrAfter: endOf(now),
    Recipient: answer.url,
  });
  return tag(
    'saml:Subject',
    {},
    nameIdTag(nameId),
    tag('saml:SubjectConfirmation', { Method: CONFIRMATION_BEARER }, confirmation),
  );
}

function conditionsTag({ answer, now }: SignInStatement): Tag {
  const audience = tag('saml:Audience', {}, answer.serviceProvider);
  return tag(
    'saml:Conditions',
    { NotBefore: new Date(now.getTime() - EARLIER_MS), NotOnOrAfter: endOf(now) },
    tag('saml:AudienceRestriction', {}, audience),
  );
}

function authnTag({ authnInstant, sessionIndex, sessionNotOnOrAfter, authnContext }: SignInStatement): Tag {
  return tag(
    'saml:AuthnStatement',
    { AuthnInstant: authnInstant, SessionIndex: sessionIndex, SessionNotOnOrAfter: sessionNotOnOrAfter },
    tag('saml:AuthnContext', {}, tag('saml:AuthnContextClassRef', {}, authnContext)),
  );
}

function attributesTag(attributes: readonly Attribute[]): Tag | undefined {
  if (attributes.length === 0) return undefined;
  return tag('saml:AttributeStatement', {}, attributes.map(attributeTag));
}

/**
 * Values without `xsi:type`: its prefix would be no part of what is signed, since the canonical form does not see it.
 */
function attributeTag({ name, nameFormat, friendlyName, values }: Attribute): Tag {
  return tag(
    'saml:Attribute',
    { Name: name, NameFormat: nameFormat, FriendlyName: friendlyName },
    values.map((value) => tag('saml:AttributeValue', {}, value)),
  );
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS);
}
