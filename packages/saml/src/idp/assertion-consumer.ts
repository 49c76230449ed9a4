import type { IndexedEndpoint } from '../metadata/endpoint.js';
import type { ServiceProvider } from '../metadata/service-provider.js';
import { BINDING } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import { indexOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';
import type { AnswerAddress } from './answer.js';

/**
 * Where the answer to a request goes. URL and index only choose among what the registered metadata lists: otherwise
 * anybody could have assertions sent to an address of their own (SAML Profiles §4.1.4.1).
 * @throws SamlRefusal `consumer_…`, `value_malformed`
 */
export function chooseAssertionConsumer(request: XmlElement, { assertionConsumers }: ServiceProvider): string {
  const url = request.attribute('AssertionConsumerServiceURL');
  const index = indexOf(request, 'AssertionConsumerServiceIndex');
  const binding = request.attribute('ProtocolBinding');
  // SAML Core §3.4.1: the index excludes both others.
  if (index !== undefined && (url !== undefined || binding !== undefined)) throw new SamlRefusal('consumer_ambiguous');
  if (binding !== undefined && binding !== BINDING.post) throw new SamlRefusal('consumer_binding');
  if (url === undefined && index === undefined) return defaultAssertionConsumer(assertionConsumers);
  const chosen = assertionConsumers.find((one) => (index === undefined ? one.url === url : one.index === index));
  if (!chosen) throw new SamlRefusal('consumer_unlisted');
  return responseUrlOf(chosen);
}

/** Where a response goes that answers no request (SAML Profiles §4.1.5). */
export function unsolicitedAnswer({ entityId, assertionConsumers }: ServiceProvider): AnswerAddress {
  return { url: defaultAssertionConsumer(assertionConsumers), serviceProvider: entityId, requestId: undefined };
}

/** SAML Metadata §2.2.3: the first that says so, else the first that does not deny it, else the first. */
export function defaultAssertionConsumer(consumers: readonly IndexedEndpoint[]): string {
  const chosen =
    consumers.find(({ isDefault }) => isDefault === true) ??
    consumers.find(({ isDefault }) => isDefault === undefined) ??
    consumers[0];
  if (!chosen) throw new SamlRefusal('consumer_unlisted');
  return responseUrlOf(chosen);
}

function responseUrlOf({ url, responseUrl }: IndexedEndpoint): string {
  return responseUrl ?? url;
}
