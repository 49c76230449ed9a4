import './http.js';

export * from '../../src/extension/testing/assertion.js';
