import type { InputHTMLAttributes, VNode } from 'preact';
import { errorId } from './form-error.js';

/** The purpose of a field decides its keyboard, and whether a browser may "correct" what was typed. */
const kinds = {
  loginName: {
    type: 'text',
    inputMode: 'email',
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellcheck: false,
    dir: 'auto',
  },
  email: {
    type: 'email',
    inputMode: 'email',
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellcheck: false,
    dir: 'auto',
  },
  phone: { type: 'tel', inputMode: 'tel', autoCapitalize: 'none', autoCorrect: 'off', spellcheck: false, dir: 'ltr' },
  personName: { type: 'text', autoCapitalize: 'words', autoCorrect: 'off', spellcheck: false, dir: 'auto' },
  /** Digits; may be typed in groups. */
  oneTimeCode: {
    type: 'text',
    inputMode: 'numeric',
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellcheck: false,
    dir: 'ltr',
  },
  recoveryCode: { type: 'text', autoCapitalize: 'characters', autoCorrect: 'off', spellcheck: false, dir: 'ltr' },
  /** Letters and digits from a mail. */
  mailedCode: {
    type: 'text',
    autoCapitalize: 'characters',
    autoCorrect: 'off',
    spellcheck: false,
    dir: 'ltr',
    // Shown in capitals, and not those of the language of the page: Turkish has another one for i.
    lang: 'zxx',
    class: 'code',
  },
  text: { type: 'text', dir: 'auto' },
  keyName: { type: 'text', autoCorrect: 'off', spellcheck: false, dir: 'auto', maxLength: 100 },
  password: { type: 'password', autoCapitalize: 'none', autoCorrect: 'off', spellcheck: false, dir: 'ltr' },
} as const satisfies Record<string, InputHTMLAttributes>;

interface FieldProps {
  readonly kind: keyof typeof kinds;
  /** The name on the wire, and the id. */
  readonly name: string;
  readonly label: string;
  /** WCAG 2.2 §1.3.5: identifies the purpose of the field to browsers and password managers. */
  readonly autocomplete:
    | 'username'
    | 'username webauthn'
    | 'current-password'
    | 'current-password webauthn'
    | 'new-password'
    | 'email'
    | 'given-name'
    | 'family-name'
    | 'nickname'
    | 'name'
    | 'tel'
    | 'one-time-code'
    | 'off';
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** False when a notice of the page already shows the error, under the same id. */
  readonly showError?: boolean;
  /** Id of a further description, such as the password rules. */
  readonly describedBy?: string | undefined;
  readonly optional?: boolean;
  /** The expression that the browser checks during input, and its messages. */
  readonly pattern?: string | undefined;
  readonly title?: string | undefined;
  /** The label of the button that shows a typed password; without a script there is no button. */
  readonly reveal?: string | undefined;
  /** Repeats a password that cannot be seen: the script that shows it takes this field away. */
  readonly repeats?: boolean;
  /** Follows the typed value, such as a domain. */
  readonly suffix?: string | undefined;
  readonly focus: boolean;
}

export function Field(props: FieldProps): VNode {
  const {
    kind,
    name,
    label,
    autocomplete,
    value,
    hint,
    error,
    showError = true,
    describedBy,
    optional = false,
    pattern,
    title,
    reveal,
    repeats,
    suffix,
    focus,
  } = props;
  const hintId = `${name}-hint`;
  const suffixId = `${name}-suffix`;
  const described = [
    error !== undefined && errorId(name),
    hint !== undefined && hintId,
    suffix !== undefined && suffixId,
    describedBy,
  ]
    .filter(Boolean)
    .join(' ');
  const input = (
    <input
      {...kinds[kind]}
      id={name}
      name={name}
      value={value}
      autocomplete={autocomplete}
      required={!optional}
      pattern={pattern}
      title={title}
      autofocus={focus}
      aria-invalid={error === undefined ? undefined : 'true'}
      aria-describedby={described === '' ? undefined : described}
    />
  );
  return (
    <div class="field" data-repeats={repeats}>
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {reveal !== undefined && <Revealed name={name} label={reveal} input={input} />}
      {suffix === undefined ? (
        reveal === undefined && input
      ) : (
        <div class="with-suffix">
          {input}
          <bdi class="suffix" id={suffixId}>
            {suffix}
          </bdi>
        </div>
      )}
      {error !== undefined && showError && (
        <p class="field-error" id={errorId(name)}>
          {error}
        </p>
      )}
    </div>
  );
}

interface RevealedProps {
  readonly name: string;
  readonly label: string;
  readonly input: VNode;
}

/**
 * A password field with the button that shows what was typed. The label stays: whether it is pressed says the state.
 */
function Revealed({ name, label, input }: RevealedProps): VNode {
  return (
    <div class="with-reveal" dir="ltr">
      {input}
      <button
        type="button"
        class="reveal"
        data-reveals={name}
        aria-controls={name}
        aria-pressed="false"
        aria-label={label}
        title={label}
        hidden
      >
        <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M2.5 12C4.5 7.8 8 5.5 12 5.5s7.5 2.3 9.5 6.5c-2 4.2-5.5 6.5-9.5 6.5S4.5 16.2 2.5 12z" />
          <circle cx="12" cy="12" r="3" />
          <path class="reveal-bar" d="M4 20 20 4" />
        </svg>
      </button>
    </div>
  );
}

/** The name on a page that asks only for a password: password managers look for it in the same form. */
export function HiddenLoginName({ value }: { readonly value: string }): VNode {
  return <input type="text" name="loginName" value={value} autocomplete="username" readonly hidden />;
}
