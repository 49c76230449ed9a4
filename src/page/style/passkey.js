// Passkeys and security keys. It shows forms that are hidden without it, lets the browser ask for a key, and sends the answer in the form.
// It requests nothing, stores nothing, and does nothing at load except offer passkeys in the field for the login name, and tell
// the browser which passkeys it may forget.
const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
  window.SimpleWebAuthnBrowser;

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { passkey, options, fills, unknown, cancelled, unsupported, exists } = form.dataset;
  const status = form.nextElementSibling;
  const say = (text) => {
    status.textContent = text ?? '';
  };
  if (!browserSupportsWebAuthn()) {
    say(unsupported);
    continue;
  }
  const optionsJSON = JSON.parse(options);

  // A button with the id "submit" hides the method of the form.
  const send = (answer) => {
    form.elements.credential.value = JSON.stringify(answer);
    document.dispatchEvent(new Event('login:sent')); // sending it by a script does not tell login.js
    HTMLFormElement.prototype.submit.call(form);
  };

  const ask = () => (passkey === 'get' ? startAuthentication({ optionsJSON }) : startRegistration({ optionsJSON }));

  const explain = (error) => {
    if (error.name === 'InvalidStateError') say(exists);
    else if (error.name === 'NotSupportedError' || error.name === 'ConstraintError') say(unsupported ?? cancelled);
    else say(cancelled);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    say('');
    // The library ends a call that waits in the field before it begins another one.
    ask().then(send, explain);
  });
  form.hidden = false;

  if (fills === 'true') {
    browserSupportsWebAuthnAutofill()
      .then((isPossible) => isPossible && startAuthentication({ optionsJSON, useBrowserAutofill: true }).then(send))
      // The user types instead, or presses the button.
      .catch(() => {});
  }
  // A passkey that was removed here stays on the device: the browser may hide it.
  if (unknown) {
    window.PublicKeyCredential.signalUnknownCredential?.({ rpId: optionsJSON.rpId, credentialId: unknown }).catch(
      () => {},
    );
  }
}

// The page of the keys: a passkey that was removed here need not be offered any more, and the name may have changed.
for (const { dataset } of document.querySelectorAll('[data-signals]')) {
  const { rpId, accounts, name, displayName } = JSON.parse(dataset.signals);
  const { PublicKeyCredential: keys } = window;
  for (const { userId, allAcceptedCredentialIds } of accounts) {
    keys?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }).catch(() => {});
    keys?.signalCurrentUserDetails?.({ rpId, userId, name, displayName }).catch(() => {});
  }
}
