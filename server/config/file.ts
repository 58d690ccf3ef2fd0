/** The file of `NAME=value` lines that start options may come from. */
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Variables } from '../lib/options.ts';

export interface ConfigFile {
  variables: Variables;
  /** Everything wrong with how it is written. */
  problems: readonly string[];
}

export function readConfigFile(path: string | undefined): ConfigFile {
  if (path === undefined || path === '') return { variables: {}, problems: [] };
  try {
    if (statSync(path).isDirectory()) return unreadable(`${path} is a folder`);
    // An editor's byte order mark would be part of the first name.
    const content = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    if (content.includes('\0'))
      return refused(`${path} is no text in UTF-8: the configuration file has lines of NAME=value`);
    return {
      variables: parseEnv(content),
      problems: [...strayLines(path, content), ...cutValues(path, content)],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return unreadable(reason);
  }
}

function unreadable(reason: string): ConfigFile {
  return refused(`the configuration file cannot be read: ${reason}`);
}

function refused(problem: string): ConfigFile {
  return { variables: {}, problems: [problem] };
}

/**
 * What Node, the C library and libraries read from the environment before we are asked. It stands in a file that
 * systemd or Docker reads too, and does nothing for us; of any other name, nobody would know whom it is for.
 */
const foreignNames =
  /^(?:(?:NODE|UV|PG|OTEL|SSL_CERT|MALLOC|LC|LD)_?[A-Z\d_]*|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|TZ|LANG|PATH|HOME|TMPDIR)$/;

/** Whether somebody else who reads the same file may mean it. */
export function isForeignName(name: string): boolean {
  return foreignNames.test(name);
}

/** Lines that the parser would pass over without a word. */
function strayLines(path: string, content: string): string[] {
  return content.split(/\r?\n/).flatMap((line, index) => {
    const isFine = /^\s*(#.*|(export\s+)?[A-Za-z_]\w*\s*=.*)?$/.test(line);
    return isFine ? [] : [`${path} line ${index + 1} must be NAME=value`];
  });
}

/**
 * What the parser would end at a `#`, where systemd and Docker, reading the same file, do not; and what it would go on
 * with on the next line, or leave out behind a quote.
 */
function cutValues(path: string, content: string): string[] {
  return content.split(/\r?\n/).flatMap((line, index) => {
    const [, value = ''] = /^\s*(?:export\s+)?\w+\s*=(.*)$/.exec(line) ?? [];
    if (/^\s*['"`]/.test(value)) {
      const isWhole = /^\s*(['"`])(?:(?!\1).)*\1\s*(?:#.*)?$/.test(value);
      return isWhole ? [] : [`${path} line ${index + 1} does not end with the quote of its value`];
    }
    if (!/(^|\S)#/.test(value)) return [];
    return [`${path} line ${index + 1} has a # in its value: put the value in quotes`];
  });
}
