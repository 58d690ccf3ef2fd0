/** Where the console's API begins. */
export const consolePrefix = '/api/console';
