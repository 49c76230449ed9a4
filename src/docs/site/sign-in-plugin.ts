import { Memory, ofWindow } from './memory.js';
import { ELEMENTS, type Immutable, type Plugin, type PluginMaker } from './system.js';

interface Kept {
  readonly authorized: unknown;
}

const kept = new Memory<Kept | undefined>(ofWindow, 'sign-in', undefined);

/** Swagger UI focuses the last form of its dialogue; the one that most people want is at the top. */
export function openDialogueAtTop(): void {
  new MutationObserver(() => {
    const dialogue = document.querySelector<HTMLElement>(`${ELEMENTS.dialogue}:not([data-seen])`);
    if (!dialogue) return;
    dialogue.dataset['seen'] = '';
    dialogue.querySelector<HTMLElement>(ELEMENTS.submit)?.focus({ preventScroll: true });
    dialogue.scrollTop = 0;
  }).observe(document.getElementById('docs')!, { childList: true, subtree: true });
}

/**
 * A sign-in survives a reload, not the window: Swagger UI's own way to keep it (`persistAuthorization`) would leave the
 * token in the browser for the next user of the machine.
 */
export function signInPlugin(onSignOut: () => void): PluginMaker {
  return ({ getSystem }): Plugin => ({
    statePlugins: {
      auth: {
        wrapActions: {
          persistAuthorizationIfNeeded: () => () => {
            const authorized = getSystem().authSelectors.authorized() as Immutable;
            if (authorized.size === 0) kept.forget();
            else kept.write({ authorized: authorized.toJS() });
          },
          // The dialogue is closed with the window of the sign-in.
          authorizeOauth2:
            (original: (payload: unknown) => unknown) =>
            (payload: unknown): void => {
              original(payload);
              getSystem().authActions.showDefinitions(false);
              window.dispatchEvent(new Event('docs:signed-in'));
            },
          authorize:
            (original: (payload: unknown) => unknown) =>
            (payload: unknown): void => {
              original(payload);
              window.dispatchEvent(new Event('docs:signed-in'));
            },
          // Credentials of a client are only for introspection and revocation, whose own locks offer them.
          showDefinitions:
            (original: (payload: unknown) => unknown) =>
            (payload: unknown): unknown => {
              const ways = payload as Immutable | false | undefined;
              return original(ways && ways.size > 1 ? ways.filter((way) => way.get('client') === undefined) : ways);
            },
          logout:
            (original: (payload: unknown) => unknown) =>
            (payload: unknown): void => {
              original(payload);
              onSignOut();
            },
        },
      },
      configs: {
        wrapActions: {
          loaded: (original: () => unknown) => (): void => {
            original();
            const found = kept.read();
            if (found) getSystem().authActions.restoreAuthorization(found);
          },
        },
      },
    },
  });
}
