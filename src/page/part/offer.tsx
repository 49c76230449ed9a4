import type { ComponentChildren, VNode } from 'preact';
import type { InPage } from './context.js';
import type { FormTarget } from './form.js';
import { Form } from './form.js';
import { NamedPage, type NamedPageProps } from './named-page.js';

export interface OfferProps extends NamedPageProps {
  readonly form: FormTarget;
}

interface Offered {
  readonly words: { readonly title: string; readonly what: string };
  /** The buttons. */
  readonly children: ComponentChildren;
}

/** A page that offers something to a known user, who may do without. */
export function Offer({ words, children, ...props }: InPage<OfferProps> & Offered): VNode {
  return (
    <NamedPage page={props} title={words.title} what={words.what} notYou={props.texts.secondFactor.notYou}>
      <Form target={props.form}>{children}</Form>
    </NamedPage>
  );
}
