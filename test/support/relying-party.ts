import './http.js';

export * from '../../src/extension/testing/relying-party.js';
