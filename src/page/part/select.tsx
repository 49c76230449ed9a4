import type { VNode } from 'preact';

interface SelectProps {
  /** The name on the wire, and the id. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly options: ReadonlyArray<{ readonly value: string; readonly text: string; readonly lang?: string }>;
}

/** A choice among a few words. */
export function Select({ name, label, value, hint, options }: SelectProps): VNode {
  const hintId = `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      <select id={name} name={name} aria-describedby={hint === undefined ? undefined : hintId}>
        {options.map((option) => (
          <option value={option.value} lang={option.lang} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
