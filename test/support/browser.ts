import './http.js';

export * from '../../src/testing/browser.js';
