// Comforts of the login pages. Every page works without this file: it shows what is hidden without it, and keeps the history of
// the browser free of pages that can only be loaded by sending a form again.

// A password can be looked at while it is typed. It is sent as a password, so that browsers keep it out of their lists of entries.
for (const button of document.querySelectorAll('button[data-reveals]')) {
  const input = document.getElementById(button.dataset.reveals);
  const show = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  };
  button.addEventListener('click', () => show(input.type === 'password'));
  input.form.addEventListener('submit', () => show(false));
  // Going back from the next page must not show it again.
  window.addEventListener('pageshow', () => show(false));
  button.hidden = false;
}

// A password that can be shown need not be typed twice; the service accepts the form without this field.
for (const field of document.querySelectorAll('[data-repeats]')) field.remove();

// The rules of a new password are ticked off one by one while it is typed; the service decides.
for (const list of document.querySelectorAll('[data-rules-of]')) {
  const input = document.getElementById(list.dataset.rulesOf);
  const rules = [...list.querySelectorAll('[data-pattern]')].map((item) => ({
    item,
    pattern: new RegExp(item.dataset.pattern, 'v'),
  }));
  const tick = () => {
    for (const { item, pattern } of rules) item.classList.toggle('is-met', pattern.test(input.value));
  };
  input.addEventListener('input', tick);
  list.classList.add('is-live');
  tick();
}

// Moments in the time of the reader, where the service does not know it.
for (const time of document.querySelectorAll('time[data-local]')) {
  const style = time.dataset.local === 'minute' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'medium' };
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(new Date(time.dateTime));
}

// Recovery codes can be copied and printed.
for (const button of document.querySelectorAll('button[data-copies]')) {
  if (!navigator.clipboard) continue; // Only where the connection is secure.
  const codes = [...document.querySelectorAll(button.dataset.copies)].map((code) => code.textContent);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    button.textContent = button.dataset.done;
  });
  button.hidden = false;
}
for (const button of document.querySelectorAll('button[data-prints]')) {
  button.addEventListener('click', () => window.print());
  button.hidden = false;
}

// Browsers ask whether to send a form again when somebody goes back to a page that was the answer to one. So a page that is
// left by a form gives its place in the history to the address where the sign-in began, which shows what is missing then.
// Until it is left it stays as it is: a phone that has forgotten the page of a code must show that page again.
const BEGINNING = 'beginning of the sign-in';
const { pathname, search, href } = location;
// The address of one page in the middle of a sign-in.
const isAmid = pathname === '/ui/login/login' && /^\?authRequestID=[^&]+$/.test(search);
const isLater = pathname.startsWith('/ui/login/') && !pathname.startsWith('/ui/login/device');
// What was pushed before can be used once (RFC 9126 section 7.3): its address leads nowhere when it is over.
const isPushed = /[?&]request_uri=urn/.test(search);
const isReturnFromProvider = /\/callback(?:\/|$)/.test(pathname);
if (!isLater && !isPushed && (search !== '' || pathname.startsWith('/ui/'))) sessionStorage.setItem(BEGINNING, href);
// A request that another site has sent as a form has no address, and the link of a mail began nothing that goes on.
else if (!isLater || (search !== '' && !isAmid && !isReturnFromProvider)) sessionStorage.removeItem(BEGINNING);
const giveWay = () => {
  const beginning = sessionStorage.getItem(BEGINNING);
  // Also to its own address: the answer to a form may stand at the address of the form.
  if (beginning !== null) history.replaceState(null, '', beginning);
};
document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) giveWay();
});
// A form that waits for a key is sent later, and then without that event: passkey.js.
document.addEventListener('login:sent', giveWay);
