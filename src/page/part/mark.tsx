import type { VNode } from 'preact';

/** The gate of Gatehouse: an arch and its half raised portcullis. It takes the colour of the text around it. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path fill="currentColor" fill-rule="evenodd" d="M3 29V15a13 13 0 0 1 26 0v14h-5.5V15a7.5 7.5 0 0 0-15 0v14z" />
      <path
        fill="currentColor"
        d="M8 14h16v2H8zM10.7 8h2v12.5l-1 1.7-1-1.7zM15 7h2v13.5l-1 1.7-1-1.7zM19.3 8h2v12.5l-1 1.7-1-1.7z"
      />
    </svg>
  );
}
