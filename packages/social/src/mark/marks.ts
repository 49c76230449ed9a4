/*
 * The vendors' marks, drawn for buttons: they name whose account is asked for. Each belongs to its vendor, whose
 * guidelines apply to what an organization shows beside it.
 */

export const GOOGLE = `<svg viewBox="0 0 24 24"><g fill="none" stroke-width="4">
<path stroke="#ea4335" d="M18.1 6.9A8 8 0 0 0 4.5 9.3"/>
<path stroke="#fbbc05" d="M4.5 9.3A8 8 0 0 0 4.5 14.7"/>
<path stroke="#34a853" d="M4.5 14.7A8 8 0 0 0 17.4 17.9"/>
<path stroke="#4285f4" d="M17.4 17.9A8 8 0 0 0 20 12H12"/>
</g></svg>`;

export const MICROSOFT = `<svg viewBox="0 0 24 24">
<rect x="3" y="3" width="8.5" height="8.5" fill="#f25022"/>
<rect x="12.5" y="3" width="8.5" height="8.5" fill="#7fba00"/>
<rect x="3" y="12.5" width="8.5" height="8.5" fill="#00a4ef"/>
<rect x="12.5" y="12.5" width="8.5" height="8.5" fill="#ffb900"/>
</svg>`;

export const GITHUB = `<svg viewBox="0 0 24 24">
<path fill="currentColor" fill-rule="evenodd" d="M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z
M9.3 21.1v-2.4c-2.6.5-3.2-1.1-3.8-2 .9-.3 1.6.2 2.2 1 .4.5 1 .6 1.7.4.1-.6.3-1 .6-1.3
-2.4-.3-4.3-1.4-4.3-4.6 0-1.1.4-2 1-2.7-.3-.9-.2-1.9.2-2.8 1.1 0 2 .5 2.8 1.1a9 9 0 0 1 4.6 0
c.8-.6 1.7-1.1 2.8-1.1.4.9.5 1.9.2 2.8.6.7 1 1.6 1 2.7 0 3.2-1.9 4.3-4.3 4.6.4.4.7 1 .7 1.9v2.4
a9.6 9.6 0 0 1-5.4 0z"/>
</svg>`;

export const GITLAB = `<svg viewBox="0 0 24 24">
<path fill="#e24329" d="M12 21L8.3 9.5h7.4zM8.3 9.5L5.7 2.5L3 9.5zM15.7 9.5L18.3 2.5L21 9.5z"/>
<path fill="#fc6d26" d="M12 21L8.3 9.5H3zM12 21L15.7 9.5H21z"/>
<path fill="#fca326" d="M12 21L3 9.5l-1 3.3zM12 21L21 9.5l1 3.3z"/>
</svg>`;

export const APPLE = `<svg viewBox="0 0 24 24">
<path fill="currentColor" d="M12 8c1.2-.9 4.4-1.6 6.3.9-2.8 1.7-2.3 5.6.6 6.8-1 2.9-2.7 5.3-4.5 5.3
-1 0-1.4-.6-2.4-.6s-1.4.6-2.4.6c-2.8 0-5-4.6-5-8 0-3.6 2.4-5.7 4.8-5.7 1.1 0 1.9.4 2.6.7z
M12.2 6.4c0-2.2 1.6-3.9 3.5-4.2.2 2.2-1.5 4.1-3.5 4.2z"/>
</svg>`;
