import './http.js';

export * from '../../src/extension/testing/browser.js';
