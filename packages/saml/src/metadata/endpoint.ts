import { BINDING } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import { booleanOf, indexOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

/** Of the bindings that we speak. Others are passed over when metadata is read. */
export type EndpointBinding = keyof typeof BINDING;

/** An address of a partner (SAML Metadata §2.2.2). */
export interface Endpoint {
  readonly binding: EndpointBinding;
  readonly url: string;
  /** Where responses go, if not to `url`. */
  readonly responseUrl: string | undefined;
}

/** One of several that a request may choose among (SAML Metadata §2.2.3). */
export interface IndexedEndpoint extends Endpoint {
  readonly index: number;
  readonly isDefault: boolean | undefined;
}

export interface EndpointRules {
  /** Plain http on other machines too: for networks in which nobody else reads along. */
  readonly allowHttp?: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MAX_URL_LENGTH = 2048;

/** @throws SamlRefusal `metadata_address`, `value_malformed` */
export function readEndpoints(elements: readonly XmlElement[], rules: EndpointRules): Endpoint[] {
  return elements.flatMap((element) => readEndpoint(element, rules) ?? []);
}

/** @throws SamlRefusal `metadata_address`, `value_malformed` if an index is missing or comes twice */
export function readIndexedEndpoints(elements: readonly XmlElement[], rules: EndpointRules): IndexedEndpoint[] {
  const indexes = elements.map((element) => indexOf(element, 'index'));
  if (indexes.includes(undefined) || new Set(indexes).size < indexes.length)
    throw new SamlRefusal('value_malformed', 'index of AssertionConsumerService');
  return elements.flatMap((element) => {
    const endpoint = readEndpoint(element, rules);
    return endpoint
      ? { ...endpoint, index: indexOf(element, 'index')!, isDefault: booleanOf(element, 'isDefault') }
      : [];
  });
}

function readEndpoint(element: XmlElement, rules: EndpointRules): Endpoint | undefined {
  const uri = element.requiredAttribute('Binding').trim();
  const binding = bindingOf(uri);
  if (!binding) return undefined;
  const responseUrl = element.attribute('ResponseLocation');
  return {
    binding,
    url: checkedUrl(element.requiredAttribute('Location'), rules),
    responseUrl: responseUrl === undefined ? undefined : checkedUrl(responseUrl, rules),
  };
}

export function bindingOf(uri: string): EndpointBinding | undefined {
  if (uri === BINDING.redirect) return 'redirect';
  return uri === BINDING.post ? 'post' : undefined;
}

/**
 * Exactly as it was written, since partners compare it so. Assertions travel over it: https, or http on this machine.
 */
function checkedUrl(text: string, { allowHttp = false }: EndpointRules): string {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isHttp = url?.protocol === 'http:' && (allowHttp || LOOPBACK.test(url.hostname));
  const isPlain = url?.username === '' && url.password === '' && url.hash === '' && !/[\s"'<>\\]/.test(written);
  if (!url || !(isHttp || url.protocol === 'https:') || !isPlain || written.length > MAX_URL_LENGTH)
    throw new SamlRefusal('metadata_address');
  return written;
}
