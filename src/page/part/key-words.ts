import { type NamedKey, UNNAMED_KEY } from '../../user/factor/key-names.js';
import type { PageTexts } from '../catalogue/catalogue.js';

/** The title of a key: its name, or what it is in the language of the page. */
export function keyTitle({ kind, name }: NamedKey, texts: PageTexts): string {
  const unnamed = UNNAMED_KEY[kind].exec(name);
  return unnamed ? kindOf(kind, texts) + (unnamed.groups?.['number'] ?? '') : name;
}

/** The name to store: one whose title was left as it is stays without a name, and is counted with the others. */
export function keyName(typed: string, key: NamedKey, texts: PageTexts): string {
  return typed === keyTitle(key, texts) ? key.name : typed;
}

/** A note that adds to the title what the key is, and where a passkey is. Undefined if the title says it. */
export function keyNote(key: NamedKey & { readonly backedUp: boolean }, texts: PageTexts): string | undefined {
  const { kinds, places } = texts.accountKeys;
  // A passkey that is backed up is copied to the other devices of its owner.
  const place = key.backedUp ? 'synced' : 'device';
  const says = keyTitle(key, texts).toLowerCase().includes(kindOf(key.kind, texts).toLowerCase());
  if (key.kind === 'u2f') return says ? undefined : kinds.u2f;
  return says ? places[place] : kinds[place];
}

function kindOf(kind: NamedKey['kind'], texts: PageTexts): string {
  return kind === 'passkey' ? texts.accountActivity.passkey : texts.accountKeys.kinds.u2f;
}
