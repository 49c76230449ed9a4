import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SamlRefusal } from '../refusal.js';
import { type QuerySignature, signQuery } from '../signature/query-signature.js';
import type { SigningKey } from '../signature/signing-key.js';
import { MAX_XML_BYTES } from '../xml/octets.js';
import { readXml } from '../xml/read-xml.js';
import { decodeBase64 } from './base64.js';
import { messageParameter, type OutgoingMessage, type ReceivedMessage } from './message.js';
import { type RelayState, relayStateValue } from './relay-state.js';

/** SAML Bindings §3.4.4.1: the one encoding, and what is meant if none is named. */
const DEFLATE = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE';

const SIGNED_IN_ORDER = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg'] as const;
const PARAMETERS = new Set<string>([...SIGNED_IN_ORDER, 'Signature', 'SAMLEncoding']);

interface Parameter {
  readonly name: string;
  /** As it came. */
  readonly raw: string;
}

/**
 * The message in a query (SAML Bindings §3.4). The query is that of the request line, undecoded and without its
 * question mark: its octets are what is signed, and no decoding and encoding again is sure to give them.
 * @throws SamlRefusal `parameter_…`, `encoding_…`, `xml_…`
 */
export function decodeRedirect(rawQuery: string): ReceivedMessage {
  const parameters = parametersOf(rawQuery);
  const value = (name: string): string | undefined => {
    const found = parameters.find((one) => one.name === name);
    return found && decodeValue(found.raw);
  };
  const parameter = messageParameter(value('SAMLRequest'), value('SAMLResponse'));
  if ((value('SAMLEncoding') ?? DEFLATE) !== DEFLATE) throw new SamlRefusal('encoding_unsupported');
  return {
    parameter,
    binding: 'redirect',
    root: readXml(inflate(decodeBase64(value(parameter)!))),
    relayState: value('RelayState'),
    querySignature: querySignature(parameters, value('SigAlg'), value('Signature')),
  };
}

/** The address that the browser is sent to. Signed in the query if there is a key. */
export function toRedirectUrl(
  { parameter, destination, xml }: OutgoingMessage,
  { relayState, key }: { readonly relayState?: RelayState; readonly key?: SigningKey } = {},
): string {
  const message = deflateRawSync(Buffer.from(xml)).toString('base64');
  const state = relayState && `RelayState=${encodeValue(relayStateValue(relayState))}`;
  const parameters = [`${parameter}=${encodeValue(message)}`, state].filter((one) => one !== undefined).join('&');
  const query = key ? signQuery(parameters, key) : parameters;
  return `${destination}${destination.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Those that the binding knows, each once. A name that is written in percent signs is the same name to others who read
 * the query, so it counts here too.
 */
function parametersOf(rawQuery: string): Parameter[] {
  const parameters = rawQuery
    .split('&')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return { name: decodeName(name), isPlain: PARAMETERS.has(name), raw: rest.join('=') };
    })
    .filter(({ name }) => PARAMETERS.has(name));
  const names = parameters.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new SamlRefusal('parameter_repeated');
  if (!parameters.every(({ isPlain }) => isPlain)) throw new SamlRefusal('encoding_malformed', 'a name');
  return parameters;
}

/**
 * SAML Bindings §3.4.4.1. Stricter than there: parameters that are signed come in the order in which they are signed.
 */
function querySignature(
  parameters: readonly Parameter[],
  algorithm: string | undefined,
  signature: string | undefined,
): QuerySignature | undefined {
  if (algorithm === undefined && signature === undefined) return undefined;
  if (!algorithm || !signature) throw new SamlRefusal('parameter_missing', 'SigAlg and Signature');
  const signed = parameters.filter(({ name }) => SIGNED_IN_ORDER.some((one) => one === name));
  const inOrder = SIGNED_IN_ORDER.flatMap((name) => signed.filter((one) => one.name === name));
  if (!inOrder.every((one, index) => one === signed[index])) throw new SamlRefusal('parameter_misplaced');
  return {
    algorithm,
    value: decodeBase64(signature),
    octets: signed.map(({ name, raw }) => `${name}=${raw}`).join('&'),
  };
}

function inflate(octets: Buffer): Buffer {
  try {
    return inflateRawSync(octets, { maxOutputLength: MAX_XML_BYTES });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? new SamlRefusal('xml_too_large')
      : new SamlRefusal('encoding_malformed', 'deflate');
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** As browsers encode forms: a plus is a blank. */
function decodeValue(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    throw new SamlRefusal('encoding_malformed', 'percent signs');
  }
}

/** The same way: some who verify decode, and encode again as forms are, instead of taking the octets. */
function encodeValue(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
