/**
 * What we need of Node's own HTTP module. An `import` of it reads every name it exports, and three of these load Node's
 * own copy of undici: 14 MB of memory and a fiftieth of a second for WebSockets that nobody opens.
 */
export const { STATUS_CODES, validateHeaderValue } = process.getBuiltinModule('node:http');
