import './http.js';

export * from '../../src/testing/assertion.js';
