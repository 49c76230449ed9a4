import type { VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';

/** A passkey, or an account at a provider, that signs a user in as well. */
export interface OtherWay {
  readonly name: string;
  /** The name of the account at a provider; empty if there is none. */
  readonly detail: string;
  /** The day on which a passkey was made. */
  readonly createdAt: Date | null;
  readonly lastUsedAt: Date | null;
}

interface OtherWaysProps {
  readonly texts: PageTexts;
  readonly language: string;
  readonly ways: readonly OtherWay[];
}

/** The other ways that sign a user in, and the way to where they are removed (PKY-028). */
export function OtherWays({ texts, language, ways }: OtherWaysProps): VNode {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const facts = [
    [texts.accountApplications.since, ({ createdAt }: OtherWay) => createdAt],
    [texts.accountApplications.last, ({ lastUsedAt }: OtherWay) => lastUsedAt],
  ] as const;
  return (
    <>
      <p>{texts.otherWays.what}</p>
      <ul class="panel account-items">
        {ways.map((way) => (
          <li>
            <div>
              <p>
                <strong>
                  <bdi>{way.name}</bdi>
                </strong>
                {way.detail !== '' && (
                  <span class="quiet">
                    <bdi>{way.detail}</bdi>
                  </span>
                )}
              </p>
              {way.createdAt !== null && (
                <dl class="account-facts">
                  {facts.map(([label, of]) => {
                    const moment = of(way);
                    return (
                      moment !== null && (
                        <>
                          <dt>{label}</dt>
                          <dd>
                            <time dateTime={moment.toISOString()}>{format.format(moment)}</time>
                          </dd>
                        </>
                      )
                    );
                  })}
                </dl>
              )}
            </div>
          </li>
        ))}
      </ul>
      <a class="button button-quiet" href={paths.account}>
        {texts.accountPage.title}
      </a>
    </>
  );
}
