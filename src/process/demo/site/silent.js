/* Where a silent renewal ends, inside the hidden frame: hands the answer to the page that opened it. */
'use strict';

new window.oidc.UserManager({
  authority: location.origin,
  client_id: 'demo',
  redirect_uri: location.href,
}).signinSilentCallback();
