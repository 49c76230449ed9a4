import type { VNode } from 'preact';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface TakeBackProps {
  /** The form with the code of the link; absent if that does not work any more. */
  readonly form?: FormTarget | undefined;
}

/**
 * The page to which the mail about a deleted account leads. Opening it changes nothing: programs that look at mails
 * open links too.
 */
export function TakeBackPage({ context, texts, form }: InPage<TakeBackProps>): VNode {
  const words = texts.takeBack;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={form === undefined}>
      <Heading title={words.title}>{form !== undefined && words.what}</Heading>
      {form === undefined ? (
        <>
          <div class="notice notice-error" role="alert">
            <p>{words.gone}</p>
          </div>
          <EntryLink texts={texts} isMain={false} />
        </>
      ) : (
        <Form target={form}>
          <button type="submit" id="submit" class="button">
            {words.submit}
          </button>
        </Form>
      )}
    </Layout>
  );
}
