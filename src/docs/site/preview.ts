/*
 * Inside the sandboxed frame of a preview: shows the mail or page that the page around it sends. The policy of this
 * document allows their styles and no script but this one.
 */
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || typeof data !== 'string') return;
  const shown = new DOMParser().parseFromString(data, 'text/html');
  // The reader of the page around is typing there.
  for (const field of shown.querySelectorAll('[autofocus]')) field.removeAttribute('autofocus');
  // An icon is for a tab; this policy allows no pictures but those in the document.
  for (const link of shown.querySelectorAll('link')) link.remove();
  document.documentElement.innerHTML = shown.documentElement.innerHTML;
});
