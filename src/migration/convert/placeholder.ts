/**
 * Placeholders that tools of deployment replace before a file is used: `${A}` (Keycloak), `$(env:A)`
 * (keycloak-config-cli), `{{ a }}` (Helm, Ansible), `@@A@@`, `#{a}`, `<%= a %>`, and `$A` as the whole text (envsubst).
 */
const PLACEHOLDER =
  /\$\{[^{}]*\}|\$\([\w.,-]+(?::[^()]*)?\)|\{\{.*?\}\}|#\{[^{}]*\}|@@[\w.]+@@|<%.*?%>|^\$[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/s;

/**
 * Whether a text is not what is meant, but says where that comes from. Whoever knows the file would know a password of
 * this kind.
 */
export function hasPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

export type Variables = Readonly<Record<string, string | undefined>>;

const NAME = /^[A-Za-z_][\w.-]*$/;
/** Sources other than the environment: Keycloak's vault, files, properties. */
const OTHER_SOURCE = /^(?:vault[.:]|[A-Za-z]\w*:(?!-))/;
const CLOSING: Readonly<Record<string, string>> = { '${': '}', '$(': ')' };

/** Replaces placeholders by variables of the environment, as Keycloak and keycloak-config-cli do. */
export class Placeholders {
  private readonly taken = new Set<string>();
  private readonly defaulted = new Set<string>();

  constructor(private readonly variables: Variables) {}

  /** The names of those that had a variable, and of those that had none and became their default. */
  get used(): { readonly taken: readonly string[]; readonly defaulted: readonly string[] } {
    return { taken: [...this.taken].sort(), defaulted: [...this.defaulted].sort() };
  }

  /** The value with every text and every name of a member replaced. What has neither variable nor default stays. */
  fill(value: unknown): unknown {
    if (typeof value === 'string') return this.fillText(value);
    if (Array.isArray(value)) return value.map((entry) => this.fill(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.fillText(name), this.fill(inner)]));
  }

  /** Fills the placeholders of a text. The value of a variable is not searched for further ones. */
  private fillText(text: string): string {
    let filled = '';
    for (let at = 0; at < text.length; ) {
      const end = endOf(text, at);
      const value = end === undefined ? undefined : this.valueOf(text.slice(at + 2, end), text.charAt(at + 1) === '(');
      filled += value ?? text.charAt(at);
      at = value === undefined ? at + 1 : end! + 1;
    }
    return filled;
  }

  /** `A`, `env.A`, `env:A`, `A,B`, each with `:default` or `:-default`. */
  private valueOf(inner: string, isOfConfigCli: boolean): string | undefined {
    const told = inner.replace(/^env[.:]/, '');
    if (/^vault[.:]/.test(told) || (isOfConfigCli && told === inner && OTHER_SOURCE.test(told))) return undefined;
    const cut = told.indexOf(':');
    const names = (cut < 0 ? told : told.slice(0, cut)).split(',').map((name) => name.trim());
    if (!names.every((name) => NAME.test(name))) return undefined;
    for (const name of names) {
      const value = this.variables[name] || this.variables[name.toUpperCase().replaceAll(/[.-]/g, '_')];
      if (value === undefined || value === '') continue;
      this.taken.add(name);
      return value;
    }
    if (cut < 0) return undefined;
    this.defaulted.add(names[0]!);
    return this.fillText(told.slice(cut + 1).replace(/^-/, ''));
  }
}

/** Where the placeholder that begins here ends; placeholders within it are part of it. */
function endOf(text: string, start: number): number | undefined {
  const opening = text.slice(start, start + 2);
  const closing = CLOSING[opening];
  if (closing === undefined) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith(opening, at)) depth += 1;
    else if (text.charAt(at) === closing && (depth -= 1) === 0) return at;
  }
  return undefined;
}
