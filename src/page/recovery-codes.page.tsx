import type { VNode } from 'preact';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface RecoveryCodesProps {
  readonly form: FormTarget;
  /** The codes, which stand on this page alone, and are stored once the person has sent it off. */
  readonly codes: readonly string[];
  readonly errors?: FormErrors<never>;
}

export function RecoveryCodesPage({ context, texts, ...props }: InPage<RecoveryCodesProps>): VNode {
  const words = texts.recoveryCodes;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{words.what}</Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <ul class="codes" aria-label={words.list}>
        {props.codes.map((code) => (
          <li>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ul>
      <div class="extras">
        <button
          type="button"
          class="button button-quiet"
          data-copies=".codes code"
          data-done={words.copied}
          aria-live="polite"
          hidden
        >
          {words.copy}
        </button>
        <button type="button" class="button button-quiet" data-prints hidden>
          {words.print}
        </button>
        <a class="button button-quiet" download="recovery-codes.txt" href={fileOf(props.codes)}>
          {words.save}
        </a>
      </div>
      <Form target={props.form}>
        <SubmitButton name="decision" value="kept">
          {words.submit}
        </SubmitButton>
      </Form>
    </Layout>
  );
}

/** A file without a request, so that the codes leave the page only to the disk of their reader. */
function fileOf(codes: readonly string[]): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
}
