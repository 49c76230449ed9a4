import type { VNode } from 'preact';
import type { InPage } from './part/context.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { NamedPage, type NamedPageProps } from './part/named-page.js';
import { type OtherFactor, OtherFactors } from './second-factor.page.js';

export interface SecurityKeyProps extends NamedPageProps {
  readonly passkey: KeyRequest;
  /** Other second factors. */
  readonly others: readonly OtherFactor[];
}

/** A security key as the second factor. */
export function SecurityKeyPage(props: InPage<SecurityKeyProps>): VNode {
  const { context, texts } = props;
  const words = texts.securityKey;
  return (
    <NamedPage page={props} title={words.title} what={words.what} notYou={texts.secondFactor.notYou}>
      <KeyForm request={props.passkey} texts={texts} submit={texts.passkey.submit} />
      <NeedsScript texts={texts} />
      <OtherFactors context={context} texts={texts} others={props.others} />
    </NamedPage>
  );
}
