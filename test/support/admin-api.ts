import './http.js';

export * from '../../src/extension/testing/admin-api.js';
