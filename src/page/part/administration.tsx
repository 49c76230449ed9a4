import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { Filled } from './filled.js';

/** The rights that an application would have in the administrative API, with the roles that the person has now. */
export interface AdministrationOffer {
  readonly readsAccount: boolean;
  readonly changesSignIn: boolean;
  /** The places where the person has roles that count; without a name it is the whole instance. */
  readonly places: ReadonlyArray<{ readonly name: string | undefined; readonly roles: readonly string[] }>;
  readonly hasMore: boolean;
}

/** Says it in a notice of its own: it is more than what other scopes give away. */
export function Administration({
  offer,
  clientName,
  texts,
}: {
  readonly offer: AdministrationOffer | undefined;
  readonly clientName: string;
  readonly texts: PageTexts;
}): VNode | null {
  if (!offer) return null;
  const words = texts.administration;
  return (
    <div class="notice notice-info">
      <p>
        <Filled text={words.title} values={{ client: clientName }} />
      </p>
      <ul class="ticks">
        {offer.places.map(({ name, roles }) => (
          <li>
            {name === undefined ? (
              <Filled text={words.everything} values={{ roles: roles.join(', ') }} />
            ) : (
              <Filled text={words.place} values={{ place: name, roles: roles.join(', ') }} />
            )}
          </li>
        ))}
        {offer.hasMore && <li>{words.more}</li>}
        {offer.readsAccount && <li>{words.account}</li>}
        {offer.changesSignIn && <li>{words.signIn}</li>}
      </ul>
      <p>{words.later}</p>
    </div>
  );
}
