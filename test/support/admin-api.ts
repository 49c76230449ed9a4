import './http.js';

export * from '../../src/testing/admin-api.js';
