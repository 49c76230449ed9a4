import { DomainError } from '../foundation/error/domain-error.js';
import { type PartCall, type PartCalls, PartFailed } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import type { ExtKind, ExtKinds } from './ext-kinds.js';
import type { Idp } from './idp.entity.js';
import { providerFailed } from './idp.errors.js';
import type { IdpSecrets } from './idp-secrets.js';

/**
 * Asks a kind of an extension. A refusal is an answer: only what the extension has not meant to say is logged as its
 * failure.
 * @param refusalFor the refusal that something thrown stands for; throws what is a failure of the extension
 * @throws DomainError the refusal; Unavailable `idp.provider_failed` if the extension fails or is late
 */
export async function askKind<Kind, T>(
  calls: PartCalls,
  call: PartCall<Kind>,
  work: (kind: Kind, signal: AbortSignal) => Promise<T>,
  refusalFor: (error: unknown) => DomainError,
): Promise<T> {
  try {
    const answered = await calls.call(call, async (kind, signal) => {
      try {
        return { value: await work(kind, signal) };
      } catch (error) {
        return { refusal: refusalFor(error) };
      }
    });
    if ('refusal' in answered) throw answered.refusal;
    return answered.value;
  } catch (error) {
    throw error instanceof PartFailed ? providerFailed('extension_failed') : error;
  }
}

/** The settings of a provider, secrets in clear; or why they do not fit what the kind declares today. */
export function settingsOf(
  { kinds, secrets }: { readonly kinds: ExtKinds; readonly secrets: IdpSecrets },
  idp: Idp,
  filled: Filled<ExtKind>,
): { readonly settings: object } | { readonly outdated: string } {
  try {
    return { settings: kinds.give(filled, { open: idp.settings, secret: secrets.openSettings(idp) }) };
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'request.invalid') return { outdated: error.message };
    throw error;
  }
}
