/*
 * Inside the sandboxed frame of a preview: shows the mail that the page around it sends. The policy of this document allows styles of
 * the mail and no script but this one.
 */
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || typeof data !== 'string') return;
  document.documentElement.innerHTML = new DOMParser().parseFromString(data, 'text/html').documentElement.innerHTML;
});
