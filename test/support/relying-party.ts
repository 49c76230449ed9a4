import './http.js';

export * from '../../src/testing/relying-party.js';
